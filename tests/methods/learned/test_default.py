from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cleancrawl
from cleancrawl.core.html import dom, head
from cleancrawl.core.native import compiled
from cleancrawl.core.segmentation import readings, text_blocks
from cleancrawl.methods.learned import learned_score as learned
from tests.soundness import flaws

PIECES = "<div> </div> <p> <b> <a> </a> <br> <td> <pre> <h1 class=x> <script> </script> <!-- & x1 <li> \x00".split()

HIDDEN = "score: hidden (by its attributes)"
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
    assert [str(block.removed) for block in document.blocks if "Nobody" in block.text] == [
        "score: hidden (by its attributes)"
    ]


def test_contentless_pages_give_empty_text() -> None:
    for html in ("", " ", "<html></html>", "<nav><a href=x>Home</a></nav>", b"\x00\xff"):
        assert cleancrawl.clean(html).text == ""


def test_no_tree_is_built() -> None:
    assert not cleancrawl.clean(PAGE).page.has_tree


COMMENTS = f"""{PAGE.replace("</footer>", "")}<section id=comments><h3>2 Comments</h3>
<ol><li class=comment><b>Ann</b><p>I have crossed this bridge every day for thirty years.</p><a href=#r>Reply</a>
<li class=comment><b>Bob</b><p>It should have been rebuilt long ago, if you ask me.</p><a href=#r>Reply</a></ol>
</section>"""


def test_comments_only_where_they_are_wanted() -> None:
    assert "thirty years" not in cleancrawl.clean(COMMENTS).text
    wanted = cleancrawl.clean(COMMENTS, comments=True).text
    assert "thirty years" in wanted
    assert "long ago" in wanted
    assert "Reply" not in wanted
    assert PARAGRAPH.strip() in wanted


def test_one_parse_and_one_set_of_features_per_page(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def wrapper(*args: Any, **options: Any) -> Any:
            calls[name] += 1
            return real(*args, **options)

        monkeypatch.setattr(module, name, wrapper)

    counted(readings, "feed")
    counted(text_blocks, "read_parsed")
    counted(text_blocks, "parse_source")
    counted(head, "feed")
    counted(dom, "feed")
    counted(dom, "parse_tree")
    counted(learned, "feature_sheet")
    document = cleancrawl.clean(PAGE)
    assert document.text
    assert document.page.title == "Bridge"
    tree = "feed" if compiled("tree_events") is None else "parse_source"
    reads = {} if compiled("parser_events") else {tree: 1}
    assert calls == {"read_parsed": 1, **reads, "feature_sheet": 1}


def test_the_same_page_gives_the_same_text_whatever_was_cleaned_before() -> None:
    alone = cleancrawl.clean(PAGE)
    for other in ("<p class='story main'>x</p>" * 50, "", COMMENTS):
        cleancrawl.clean(other)
    again = cleancrawl.clean(PAGE)
    assert again.text == alone.text
    assert [block.score for block in again.blocks] == [block.score for block in alone.blocks]


def test_the_hash_seed_changes_nothing() -> None:
    code = "import sys, cleancrawl; d = cleancrawl.clean(sys.stdin.read()); print([b.score for b in d.blocks], d.text)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=PAGE,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.text(), st.binary(), st.lists(st.sampled_from(PIECES)).map("".join)), st.booleans())
def test_clean_never_raises(html: str | bytes, comments: bool) -> None:
    assert flaws(cleancrawl.clean(html, comments=comments)) == []


QUALITY = {
    "en": (
        "The ferry will run every day until the new bridge is open, the mayor said on Tuesday.",
        "Read more",
        "Subscribe",
    ),
    "de": (
        "Die Fähre fährt jeden Tag, bis die neue Brücke fertig ist, sagte der Bürgermeister am Dienstag.",
        "Lesen Sie auch",
        "Newsletter abonnieren",
    ),
    "fr": (
        "Le bac circulera tous les jours, a dit le maire mardi, jusqu'à l'ouverture du nouveau pont.",
        "À lire aussi",
        "Abonnez-vous",
    ),
    "ar": (
        "قال رئيس البلدية يوم الثلاثاء إن العبارة ستعمل كل يوم، حتى افتتاح الجسر الجديد فوق النهر.",
        "اقرأ أيضا",
        "النشرة البريدية",
    ),
    "zh": ("市长星期二说，渡船每天都会开，直到河上的新桥开放为止，市民可以放心。", "相关阅读", "订阅"),
}


@pytest.mark.parametrize("language", QUALITY)
def test_quality_floor_on_small_pages(language: str) -> None:
    sentence, related, newsletter = QUALITY[language]
    paragraphs = [f"{sentence} {sentence} ({number})" for number in range(1, 6)]
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = f"""<html lang={language}><title>{sentence[:20]}</title><body>
    <header><nav><ul><li><a href=/1>A1</a><li><a href=/2>B2</a><li><a href=/3>C3</a></ul></nav></header>
    <main><article><h1>{sentence[:20]}</h1><div class=entry-content>{body}</div>
    <div class=newsletter><h3>{newsletter}</h3><form><input type=email><button>OK</button></form></div></article>
    <aside class=related><h3>{related}</h3><ul><li><a href=/x>{sentence[5:30]}</a><li><a href=/y>{sentence[9:40]}</a>
    </ul></aside></main><footer><p>© 2026 Example</p></footer></body></html>"""
    kept = cleancrawl.clean(html).text.splitlines()
    assert [line for line in kept if line in paragraphs] == paragraphs
    assert not {related, newsletter, "A1", "OK", "© 2026 Example"} & set(kept)
