from __future__ import annotations

import pytest

from cleancrawl import Block, Page, clean
from cleancrawl.core.html import head as head_module
from cleancrawl.core.html import json_ld
from cleancrawl.core.segmentation.text_blocks import TextBlocks


def test_the_first_verdict_on_a_block_stands() -> None:
    block = Block("text", 1, 0, "p")
    block.remove("primary", "iab-size", "468x60")
    block.remove("score", "low")
    assert str(block.removed) == "primary: iab-size (468x60)"


def test_a_tree_is_built_only_when_asked_for() -> None:
    page = Page("<html lang=de><title>T</title><p>x", "https://news.example.co.uk/a")
    assert (page.title, page.language, page.domain) == ("T", "de", "example.co.uk")
    assert not page.has_tree
    assert page.tree.tag == "html"
    assert page.has_tree


SWALLOWED = "<title>T</title><noscript>" + "<p>A paragraph that an open element swallows, word for word.</p>" * 40
MISREAD = "<p>donâ€™t, itâ€™s, weâ€™re: cafÃ©</p>"
SENTENCES = " ".join(f"Sentence {number} of the article." for number in range(50))
SCRIPTED = f'<script type="application/ld+json">{{"articleBody": "{SENTENCES}"}}</script><p>Enable scripts</p>'


@pytest.mark.parametrize("html", [SWALLOWED, MISREAD, SCRIPTED])
def test_the_page_as_it_came_is_never_rewritten(html: str) -> None:
    page = Page(html)
    TextBlocks()(page)
    assert page.html != html
    assert page.source == html
    with pytest.raises(AttributeError):
        page.source = "another"  # type: ignore[misc]


@pytest.mark.parametrize("shown", [SENTENCES, "Enable scripts"])
def test_json_ld_is_parsed_once_for_all_who_ask(shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def load(source: str) -> object:
        read.append(source)
        return json_ld.load(source)

    monkeypatch.setattr(head_module, "load", load)
    article = f'{{"@type": "NewsArticle", "headline": "Storm", "articleBody": "{SENTENCES}",}}'
    document = clean(f'<script type="application/ld+json">{article}</script><p>{shown}</p>')
    assert document.metadata.title == "Storm"
    assert "Sentence 7" in document.text
    assert read == [article]


def test_starting_over_leaves_what_depends_on_the_page_alone() -> None:
    page = Page("<p>one</p>")
    page.blocks = [Block("one", 1, 0, "p")]
    page.blocks[0].remove("score", "learned", "0.10")
    page.notes[0], page.corrections[0], page.comments, page.memo["scores"] = "why", None, (), 1
    page.start_over()
    assert (page.blocks[0].removed, page.notes, page.corrections, page.comments) == (None, {}, {}, None)
    assert page.memo == {"scores": 1}
