"""The blocks of a page, made in Python and compiled."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from cleancrawl.core.block import Block
from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks, blocks_compiled, blocks_in_python
from cleancrawl.core.segmentation.text_layout import TextLayout
from tests.twins import twins

_part = compiled("block_list")
needs_part = pytest.mark.skipif(_part is None, reason=f"compiled part block_list: {why_not('block_list')}")


@pytest.mark.parametrize("made", twins(blocks_in_python, "block_list", blocks_compiled))
def test_blocks_have_what_the_layout_says(made: Callable[..., list[Block]]) -> None:
    page = Page("<h1>A bridge</h1><p>It is <a href='/x'>old and long</a>.</p><td>9</td>")
    TextBlocks()(page)
    texts = [block.text for block in page.blocks]
    blocks = made(texts, page.layout_of(TextLayout))
    fields: list[tuple[Any, ...]] = [
        (block.text, block.words, block.link_words, block.tag, block.node, block.index, block.score, block.removed)
        for block in blocks
    ]
    assert fields[:2] == [
        ("A bridge", 2, 0, "h1", None, 0, None, None),
        ("It is old and long.", 5, 3, "p", None, 1, None, None),
    ]
    blocks[0].remove("score", "learned")
    assert not blocks[0].kept
    assert pickle.loads(pickle.dumps(blocks[1])).text == "It is old and long."
    del blocks
    gc.collect()
    assert made([], _empty()) == []


def _empty() -> TextLayout:
    page = Page("")
    TextBlocks()(page)
    return page.layout_of(TextLayout)


@needs_part
def test_other_classes_and_columns_are_refused() -> None:
    assert _part is not None

    class Other:
        __slots__ = ("text",)

    with pytest.raises(TypeError, match="slots"):
        _part.BlockMaker(Other, ("",))
    page = Page("<p>One</p><p>Two</p>")
    TextBlocks()(page)
    with pytest.raises(ValueError, match="lengths"):
        blocks_compiled(["One"], page.layout_of(TextLayout))
