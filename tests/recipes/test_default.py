from __future__ import annotations

import cleancrawl

PARAGRAPH = "The council decided on Monday, after a long debate, to rebuild the old bridge over the river. "
PAGE = f"""<html><head><title>Bridge</title></head><body>
<nav><ul><li><a href=/>Home</a><li><a href=/s>Sport</a></ul></nav>
<div id=main><h1>Old bridge</h1><p>{PARAGRAPH * 2}</p><p>{PARAGRAPH * 3}</p>
<div style="display:none"><p>Nobody sees this text here at all.</p></div></div>
<footer><a href=/imprint>Imprint</a></footer></body></html>"""


def test_keeps_the_article_and_drops_the_rest() -> None:
    document = cleancrawl.clean(PAGE, url="https://news.example/bridge")
    lines = document.text.splitlines()
    assert lines[-2:] == [(PARAGRAPH * 2).strip(), (PARAGRAPH * 3).strip()]
    assert "Sport" not in document.text
    assert "Imprint" not in document.text
    assert [str(block.removed) for block in document.blocks if "Nobody" in block.text] == ["primary: hidden"]


def test_contentless_pages_give_empty_text() -> None:
    for html in ("", " ", "<html></html>", "<nav><a href=x>Home</a></nav>", b"\x00\xff"):
        assert cleancrawl.clean(html).text == ""


def test_no_tree_is_built() -> None:
    assert not cleancrawl.clean(PAGE).page.has_tree
