"""METHODS D1, D2, D5 and the blocks of whole pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl import Page, clean
from cleancrawl.core.html.thinning import MOST_BLOCKS
from cleancrawl.lab.bench.segmentation_scores import score_pages, table
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks, TagLayout
from cleancrawl.methods.key_pattern.tag_count import TagCount
from tests.growth import about_linear

SEGMENTED = Path(__file__).parent / "segmented"


def segment(html: str, **parameters: float) -> Page:
    page = Page(html)
    KeyPatternBlocks(**parameters)(page)
    return page


def texts(html: str, **parameters: float) -> list[str]:
    return [block.text for block in segment(html, **parameters).blocks]


def test_d1_unwrapped_tags_keep_their_text_and_scripts_have_none() -> None:
    page = segment("<body><p>a <a href=x>b</a> <span><b>c</b></span><script>d</script><!-- e --></p></body>")
    assert [(block.text, block.words, block.link_words) for block in page.blocks] == [("a b c", 3, 1)]
    assert page.layout.tags == [1]


def test_d4_blocks_of_the_papers_sequence() -> None:
    tags = "h2 p p ul p p h2 p p p p p p div".split()
    html = "".join(f"<{tag}>{number}</{tag}>" for number, tag in enumerate(tags))
    assert texts(f"<body>{html}", share=1.0) == ["0\n1\n2\n3\n4\n5", "6\n7\n8\n9\n10\n11\n12\n13"]


def test_children_with_much_of_the_text_are_looked_into() -> None:
    html = "<body><div>menu</div><div><h2>one</h2><p>text of one</p><h2>two</h2><p>text of two</p></div>loose</body>"
    assert texts(html) == ["menu", "one\ntext of one", "two\ntext of two", "loose"]
    assert texts(html, share=1.0) == ["menu\none\ntext of one\ntwo\ntext of two\nloose"]


def test_d5_importance_is_the_number_of_tags() -> None:
    page = segment("<body><div><p>a<p>b<p>c<p>d</div><section>th</section></body>", share=0.4)
    TagCount(share=0.5)(page)
    assert [(block.text, block.score) for block in page.kept] == [("a\nb\nc\nd", 1.0)]
    assert str(page.blocks[1].removed) == "score: tag-count (1 of at most 4 tags)"


def test_no_tree_is_built_and_the_head_comes_along() -> None:
    page = segment("<title>T</title><p>a")
    assert (page.has_tree, page.title) == (False, "T")


def test_text_below_five_thousand_levels_is_kept() -> None:
    html = "<div>" * 5000 + "<p>deep text</p>" + "</div>" * 5000
    assert clean(html, recipe="key-pattern").text == "deep text"


@pytest.mark.parametrize(
    ("piece", "size"), [("<p>x</p>", 100_000), ("<p>x</p><div>y</div>", 20_000), ("<div><p>x</p>", 20_000)]
)
def test_hostile_pages_take_about_linear_time(piece: str, size: int) -> None:
    assert set(clean(piece * 100, recipe="key-pattern").text.split()) <= {"x", "y"}
    assert about_linear(lambda html: clean(html, recipe="key-pattern"), lambda size: piece * size, size)


def test_hand_segmented_pages() -> None:
    scores = score_pages(SEGMENTED, KeyPatternBlocks())
    assert sum(score.f1 for score in scores.values()) / len(scores) > 0.7
    assert "the paper" in table(SEGMENTED)


def test_of_endless_blocks_the_longest_stay() -> None:
    # Line breaks make blocks in no other method, so that nothing else has cut the page down.
    source = "<h1>Bridge</h1>" + "a<br>" * 25_000 + "A text that is longer.<br>" + "b<br>" * 100
    page = Page(source)
    KeyPatternBlocks()(page)
    assert len(page.blocks) == MOST_BLOCKS
    assert page.left_out > 5_000
    assert {"Bridge", "A text that is longer."} <= {block.text for block in page.blocks}
    assert [block.index for block in page.blocks] == list(range(MOST_BLOCKS))
    assert len(page.layout_of(TagLayout).tags) == MOST_BLOCKS
