"""METHODS E3–E4."""

from __future__ import annotations

from typing import Any

import pytest

from cleancrawl import Page
from cleancrawl.methods.line_block.line_blocks import LineBlocks, LineLayout
from cleancrawl.methods.line_block.line_ratios import LineRatios, line_ratios, title_keywords

LONG = "Doctors speak of a break in the treatment of the disease, and of many long years of hard work before it."
HTML = f"""<head><title>Bladder cancer: Exciting drug break</title></head><body>
<div><a href=/>Home</a> <a href=/n>News</a> <a href=/s>Sport</a></div><div></div>
<div><p>{LONG}</p></div><div></div>
<div><b>drug</b> <i>for</i> <b>cancer</b></div><div></div>
<div><b>thin</b> <i>text</i></div></body>"""


def kept(**parameters: Any) -> list[str]:
    page = Page(HTML)
    LineBlocks()(page)
    LineRatios(**parameters)(page)
    assert page.has_tree is False
    return [block.text for block in page.kept]


def test_e3_title_keywords() -> None:
    assert title_keywords("Bladder cancer: Exciting drug break") == {"bladder", "cancer", "exciting", "drug", "break"}


def test_e3_ratios() -> None:
    ratio, anchors = line_ratios(LineLayout("", [60, 10, 5], [3, 0, 1], [15, 0, 5]))
    assert ratio.tolist() == [20, 10, 5]
    assert anchors.tolist() == [0.25, 0, 1]


def test_e4_fixed_thresholds_and_title_words_that_rescue() -> None:
    assert kept() == [LONG, "drug for cancer"]


def test_e4_the_letter_wants_title_words_of_every_block() -> None:
    assert kept(title="required") == []
    assert kept(title="required", title_words=1) == [LONG]


def test_e4_thresholds_by_standard_deviation() -> None:
    assert kept(thresholds="deviation") == [LONG, "drug for cancer"]
    assert kept(thresholds="deviation", factor=10.0) == []


def test_a_page_of_one_block_without_links_is_content() -> None:
    page = Page(f"<p>{LONG}")
    LineBlocks()(page)
    LineRatios(thresholds="deviation")(page)
    assert [block.text for block in page.kept] == [LONG]


@pytest.mark.parametrize("thresholds", ["fixed", "deviation"])
def test_reasons_name_the_three_features(thresholds: Any) -> None:
    page = Page(HTML)
    LineBlocks()(page)
    LineRatios(thresholds=thresholds)(page)
    assert str(page.blocks[0].removed) == "score: line-ratios (TTR 1.9, ATTR 0.87, TKD 0)"
    assert page.blocks[1].score == pytest.approx(1, abs=0.6)
