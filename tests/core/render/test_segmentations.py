"""Renderings where other segmentations than text blocks made the blocks."""

from __future__ import annotations

import pytest

from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks
from cleancrawl.methods.line_block.line_blocks import LineBlocks
from tests.recipes_for_tests import Paragraphs


def document(stage: Stage, html: str, *removed: str) -> Document:
    page = Page(html, "https://e.org/a/")
    stage(page)
    for block in page.blocks:
        if block.text in removed:
            block.remove("score", "low")
    return Document(page, "test")


def test_text_belongs_to_the_innermost_block_and_keeps_the_order_of_the_page() -> None:
    html = (
        "<div>one <b>two</b><!-- c --> more<div>inner <img src=/i.png></div>three<div>gone<img src=/g.png></div></div>"
    )
    cleaned = document(DivTdBlocks(), html, "gone")
    assert cleaned.markdown == "one **two** more\n\ninner ![](https://e.org/i.png)\n\nthree"
    assert document(DivTdBlocks(), html, "one two more\nthree", "gone").html == (
        '<p>inner <img src="https://e.org/i.png" alt=""/></p>'
    )


def test_nested_blocks_with_shared_text_come_once() -> None:
    cleaned = document(Paragraphs(), "<ul><li>a1 <p>b1</p></li><li>c1</li></ul>")
    assert cleaned.html == "<ul><li><p>a1</p><p>b1</p></li><li>c1</li></ul>"


@pytest.mark.parametrize("stage", [LineBlocks(), KeyPatternBlocks()], ids=["lines", "key-pattern"])
def test_the_markup_of_blocks_without_nodes_is_found_again(stage: Stage) -> None:
    html = "<h2>Head</h2><p>One <i>two</i> <a href=/x>three</a>.</p><hr><hr><ul><li>four<li>five</ul>"
    cleaned = document(stage, html)
    assert cleaned.markdown == "## Head\n\nOne *two* [three](https://e.org/x).\n\n- four\n- five"


def test_blocks_that_are_not_found_again_are_plain_paragraphs() -> None:
    cleaned = document(LineBlocks(), "<h2>Head</h2><p>One <i>two</i></p>")
    cleaned.blocks[0].text = "Something * else\n\nthat the page does not have"
    cleaned.blocks[0].tag = "p"
    assert cleaned.markdown == "Something \\* else\n\nthat the page does not have"
    assert cleaned.html == "<p>Something * else</p>\n<p>that the page does not have</p>"
