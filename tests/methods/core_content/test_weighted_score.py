"""METHODS A7: the weighted block score."""

from __future__ import annotations

import pytest

from cleancrawl import Block, Page
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.core_content.weighted_score import Counts, WeightedScore, block_score

TABLE = {
    "b2": (7, 0, 39, 0.756, True),
    "b3": (0, 4, 36, 0.803, True),
    "b6": (0, 0, 33, 0.942, True),
    "b8": (7, 7, 55, 0.495, False),
    "b11": (10, 6, 52, 0.458, False),
    "b12": (0, 0, 36, 0.937, True),
    "b13": (0, 0, 41, 0.928, True),
}
TITLE = [f"titl{n}x" for n in range(12)]
LINKS = [f"lin{n}x" for n in range(9)]


@pytest.mark.parametrize(("title", "link", "content", "score", "kept"), TABLE.values(), ids=TABLE)
def test_a7_worked_table(title: int, link: int, content: int, score: float, kept: bool) -> None:
    found = block_score(Counts(title, link, content), Counts(12, 9, 227))
    assert round(found, 3) == score
    assert (found > 7 / 14) is kept


def test_a7_worked_table_through_the_stage() -> None:
    """The same counts as words on a page: 7 distinct blocks with text of 14, b8's link words bring the ninth."""
    distinct = {"b2": 28, "b3": 25, "b6": 27, "b8": 33, "b11": 42, "b12": 36, "b13": 36}
    html = f"<html lang=en><title>{' '.join(TITLE)}</title><body>"
    for name, (title, link, content, _, _) in TABLE.items():
        words = [f"{name}w{n % distinct[name]}x" for n in range(content)]
        offset = 2 if name == "b8" else 0
        linked = " ".join(LINKS[offset : offset + link])
        html += f"<div>{' '.join(TITLE[:title])} <a href=x>{linked}</a> {' '.join(words)}</div>"
    html += "".join(f"<div>noise {n}</div>" for n in range(7))
    page = Page(html)
    DivTdBlocks()(page)
    for block in page.blocks[7:]:
        block.remove("primary", "test")
    WeightedScore(denominator="sum-of-blocks")(page)
    assert [round(block.score or 0, 3) for block in page.blocks[:7]] == [row[3] for row in TABLE.values()]
    assert [block.kept for block in page.blocks[:7]] == [row[4] for row in TABLE.values()]
    assert str(page.blocks[3].removed) == "score: low-score (0.495, threshold 0.500)"


def score_one(html: str, stage: WeightedScore | None = None) -> list[float | None]:
    page = Page(f"<html lang=en>{html}")
    DivTdBlocks()(page)
    (stage or WeightedScore())(page)
    return [block.score for block in page.blocks]


def test_a7_an_occurrence_falls_in_one_class_title_before_link_before_content() -> None:
    # bridge: title; harbour: link; river twice: content of two occurrences over one distinct word
    html = "<title>Bridge</title><div><a href=x>bridge harbour</a> river river</div>"
    assert score_one(html) == [pytest.approx(1 - (0.3 + 0.3 + 0.4 * 2))]


def test_a7_terms_are_stemmed_and_stop_words_do_not_count() -> None:
    assert score_one("<title>Bridges</title><div>the bridge of</div>") == [pytest.approx(0.7)]


def test_a7_an_empty_denominator_gives_nothing() -> None:
    assert score_one("<div>the of</div>") == [1.0]


def test_a7_the_denominator_is_a_parameter() -> None:
    html = "<div>river bank</div><div>river ford</div>"
    assert score_one(html) == [pytest.approx(1 - 0.4 * 2 / 3)] * 2
    assert score_one(html, WeightedScore(denominator="sum-of-blocks")) == [pytest.approx(1 - 0.4 * 2 / 4)] * 2


def test_a7_known_flaw_the_long_block_of_an_article_sinks() -> None:
    page = Page("<html lang=en><div>" + "The river rose and the bridge fell. " * 50 + "</div><div>Short one.</div>")
    DivTdBlocks()(page)
    WeightedScore()(page)
    long = page.blocks[0]
    assert long.score is not None
    assert long.score < 0
    assert not long.kept


def test_a7_other_segmentations_count_all_or_no_words_as_links() -> None:
    page = Page("<html lang=en>")
    page.blocks = [Block("harbour", 1, 1, "a", index=0), Block("river", 1, 0, "p", index=1)]
    WeightedScore()(page)
    assert [block.score for block in page.blocks] == [pytest.approx(0.7), pytest.approx(0.6)]


def test_a7_a_page_without_blocks_is_left_alone() -> None:
    assert score_one("") == []
