"""All blocks of a page at once, in Python and compiled."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cleancrawl.core import block_columns
from cleancrawl.core.block import Block, Removal
from cleancrawl.core.native import compiled, why_not
from tests.twins import twins

_part = compiled("block_list")
needs_part = pytest.mark.skipif(_part is None, reason=f"compiled part block_list: {why_not('block_list')}")
NAMES = ("", "h1", "p")
REMOVALS = tuple(Removal("score", "learned", str(percent)) for percent in range(101))


def _column(*values: int) -> Any:
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize("make", twins(block_columns.made_in_python, "block_list", block_columns.make_blocks))
def test_blocks_have_what_the_columns_say(make: Callable[..., list[Block]]) -> None:
    blocks = make(["A bridge", "It is old and long."], _column(2, 5), _column(0, 3), _column(1, 2), NAMES)
    fields: list[tuple[Any, ...]] = [
        (block.text, block.words, block.link_words, block.tag, block.node, block.index, block.score, block.removed)
        for block in blocks
    ]
    assert fields == [
        ("A bridge", 2, 0, "h1", None, 0, None, None),
        ("It is old and long.", 5, 3, "p", None, 1, None, None),
    ]
    blocks[0].remove("score", "learned")
    assert not blocks[0].kept
    assert pickle.loads(pickle.dumps(blocks[1])).text == "It is old and long."
    del blocks
    gc.collect()
    assert make([], _column(), _column(), _column(), NAMES) == []


class Marked(Block):
    """A stage of one's own may bring such."""


def _with_a_removed_one() -> list[Block]:
    blocks = [Block("one", 1, 0, "p"), Marked("two", 1, 0, "p"), Block("three", 1, 0, "p")]
    blocks[1].remove("primary", "ad-domain")
    return blocks


@pytest.mark.parametrize("kept", twins(block_columns.kept_in_python, "block_list", block_columns.kept_blocks))
def test_kept_ones_are_told(kept: Callable[[list[Block]], bytes]) -> None:
    assert kept(_with_a_removed_one()) == b"\x01\x00\x01"
    assert kept([]) == b""


@pytest.mark.parametrize("ones", twins(block_columns.kept_ones_in_python, "block_list", block_columns.kept_ones))
def test_kept_ones_are_given(ones: Callable[[list[Block]], list[Block]]) -> None:
    blocks = _with_a_removed_one()
    assert ones(blocks) == [blocks[0], blocks[2]]
    assert ones([]) == []


@pytest.mark.parametrize("scores", twins(block_columns.scores_in_python, "block_list", block_columns.block_scores))
def test_scores_are_given_as_doubles(scores: Callable[[list[Block]], bytes]) -> None:
    blocks = _with_a_removed_one()
    blocks[0].score, blocks[1].score = 0.1, 1.0
    assert np.frombuffer(scores(blocks)).tolist() == [0.1, 1.0, 0.0]
    assert scores([]) == b""


@pytest.mark.parametrize("words", twins(block_columns.words_in_python, "block_list", block_columns.kept_words))
def test_words_of_kept_ones_are_counted(words: Callable[[list[Block]], int]) -> None:
    blocks = _with_a_removed_one()
    assert (words(blocks), words(blocks[1:2]), words([])) == (2, 0, 0)


@pytest.mark.parametrize("tally", twins(block_columns.tally_in_python, "block_list", block_columns.tally_blocks))
def test_what_blocks_add_up_to_is_told(tally: Callable[[list[Block], int], tuple[int | bool, ...]]) -> None:
    shape = [("h1", 4, 0), ("h2", 2, 1), ("p", 25, 3), ("p", 24, 0), ("li", 30, 30), ("li", 3, 3), ("h4", 1, 0)]
    blocks = [Block("", words, links, tag) for tag, words, links in shape]
    blocks[0].remove("score", "headline")
    blocks[4].remove("score", "learned")
    assert tally(blocks, 25) == (55, 89, 7, 37, 1, 25, 2, 1, True)
    assert tally(blocks[1:3], 3) == (27, 27, 4, 4, 1, 25, 1, 0, False)
    assert tally([], 25) == (0, 0, 0, 0, 0, 0, 0, 0, False)


@pytest.mark.parametrize("rules", twins(block_columns.rules_in_python, "block_list", block_columns.removed_by_rule))
def test_removals_are_counted_by_rule_in_the_order_of_the_page(rules: Callable[[list[Block]], dict[str, int]]) -> None:
    blocks = [Block("one", 1, 0, "p") for _ in range(7)]
    for place, rule in enumerate(("hidden", "learned", "learned", "hidden", "", "learned")):
        blocks[place].remove("score", rule)
    assert list(rules(blocks).items()) == [("hidden", 2), ("learned", 3), ("", 1)]
    assert rules(blocks[6:]) == rules([]) == {}


@pytest.mark.parametrize("judge", twins(block_columns.judge_in_python, "block_list", block_columns.judge_blocks))
def test_what_is_below_the_bar_goes_and_first_verdicts_stand(judge: Callable[..., None]) -> None:
    blocks = [Block(text, 1, 0, "p") for text in ("low", "high", "gone before", "at the bar")]
    blocks[2].remove("primary", "ad-domain")
    for _ in range(2):
        judge(blocks, np.array([0.259, 0.9, 0.1, 0.5]), 0.5, REMOVALS)
    assert [block.score for block in blocks] == [0.259, 0.9, 0.1, 0.5]
    assert [block.removed and (block.removed.rule, block.removed.evidence) for block in blocks] == [
        ("learned", "25"),
        None,
        ("ad-domain", ""),
        None,
    ]


@needs_part
def test_other_classes_and_columns_are_refused() -> None:
    assert _part is not None

    class Other:
        __slots__ = ("text",)

    with pytest.raises(TypeError, match="slots"):
        _part.BlockSlots(Other)
    slots = _part.BlockSlots(Block)
    with pytest.raises(ValueError, match="lengths"):
        slots.made(["One"], _column(1, 1), _column(0, 0), _column(2, 2), NAMES)
    with pytest.raises(ValueError, match="no tag"):
        slots.made(["One"], _column(1), _column(0), _column(3), NAMES)
    with pytest.raises(TypeError, match="no block"):
        slots.kept(["One"])
    with pytest.raises(TypeError, match="no block"):
        slots.kept_ones(["One"])
    for read in (slots.scores, slots.kept_words, slots.rules):
        with pytest.raises(TypeError, match="no block"):
            read(["One"])
    with pytest.raises(TypeError, match="no block"):
        slots.tally(["One"], 25)
    with pytest.raises(ValueError, match="lengths"):
        slots.judge([Block("One", 1, 0, "p")], np.array([]), 0.5, REMOVALS)
    with pytest.raises(ValueError, match="no removal"):
        slots.judge([Block("One", 1, 0, "p")], np.array([-1.0]), 0.5, REMOVALS)
