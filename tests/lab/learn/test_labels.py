from __future__ import annotations

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.lab.learn.labels import align, snippet_labels


def segment(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def test_long_blocks_by_shingles_and_short_ones_by_place() -> None:
    page = segment(
        "<p>Share</p><h1>Bridge</h1><p>One two three four five.</p><h2>Cost</h2><p>Six seven eight nine ten.</p>"
        "<p>Share</p><p>Something else stands here now.</p>"
    )
    gold = "One two three four five.\nCost\nSix seven eight nine ten. They share it."
    assert align(page.blocks, gold).tolist() == [0, 0, 1, 1, 1, 1, 0] or align(page.blocks, gold).tolist()[1:5] == [
        0,
        1,
        1,
        1,
    ]


def test_half_of_a_block() -> None:
    page = segment("<p>one two three four five six seven eight nine ten</p>")
    assert 0.2 < align(page.blocks, "one two three four five six")[0] < 0.6


def test_empty_gold_and_short_gold() -> None:
    page = segment("<p>one two three four</p><p>five</p>")
    assert align(page.blocks, "").tolist() == [0, 0]
    assert align(page.blocks, "five").tolist() == [0, 1]


def test_snippets() -> None:
    page = segment("<p>good text here</p><p>bad  text here</p><p>neither</p><p>good text and bad text</p>")
    labels, known = snippet_labels(page.blocks, ["good text"], ["bad text", ""])
    assert known.tolist() == [True, True, False, False]
    assert labels.tolist()[:2] == [1, 0]
