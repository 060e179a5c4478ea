"""What is made, asked or told of all blocks of a page at once."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING

from cleancrawl.core.block import Block, Removal
from cleancrawl.core.native import compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Scores = NDArray[np.float64]

Names = tuple[str, ...]
Tally = tuple[int, int, int, int, int, int, int, int, bool]


def made_in_python(texts: list[str], words: Ints, link_words: Ints, tags: Ints, names: Names) -> list[Block]:
    """A block for each text; ``tags`` are places in ``names``."""
    tag = map(names.__getitem__, tags.tolist())
    return list(map(Block, texts, words.tolist(), link_words.tolist(), tag, repeat(None), range(len(texts))))


def kept_in_python(blocks: list[Block]) -> bytes:
    """A byte for each block: whether nothing has removed it. NumPy reads bytes as they are, and lists slowly."""
    return bytes([block.removed is None for block in blocks])


def kept_ones_in_python(blocks: list[Block]) -> list[Block]:
    """The blocks that nothing has removed."""
    return [block for block in blocks if block.removed is None]


def scores_in_python(blocks: list[Block]) -> bytes:
    """The score of each block as a double, 0 where it has none."""
    return array("d", [block.score or 0.0 for block in blocks]).tobytes()


def words_in_python(blocks: list[Block]) -> int:
    """The words of the blocks that nothing has removed."""
    return sum([block.words for block in blocks if block.removed is None])


def tally_in_python(blocks: list[Block], long: int) -> Tally:
    """Words of the kept ones and of all, the same of those in links; how many kept ones are long, and their words;
    how many are headings below the first level, and items of lists; whether any block is a headline."""
    kept = [block for block in blocks if block.removed is None]
    tags, words = [block.tag for block in kept], [block.words for block in kept]
    long_ones = [number for number in words if number >= long]
    return (
        sum(words),
        sum([block.words for block in blocks]),
        sum([block.link_words for block in kept]),
        sum([block.link_words for block in blocks]),
        len(long_ones),
        sum(long_ones),
        sum(map(tags.count, ("h2", "h3", "h4"))),
        tags.count("li"),
        "h1" in [block.tag for block in blocks],
    )


def rules_in_python(blocks: list[Block]) -> dict[str, int]:
    """How many blocks each rule has removed, in the order of the page."""
    return dict(Counter([block.removed.rule for block in blocks if block.removed is not None]))


def judge_in_python(blocks: list[Block], scores: Scores, bar: float, removals: tuple[Removal, ...]) -> None:
    """Give each block its score; what is below the bar and not removed yet gets the removal of its percentage."""
    for block, score in zip(blocks, scores.tolist(), strict=True):
        block.score = score
        if score < bar and block.removed is None:
            block.removed = removals[int(100 * score)]


_part = compiled("block_list")
_slots = _part and _part.BlockSlots(Block)
make_blocks = made_in_python if _slots is None else _slots.made
kept_blocks = kept_in_python if _slots is None else _slots.kept
kept_ones = kept_ones_in_python if _slots is None else _slots.kept_ones
block_scores = scores_in_python if _slots is None else _slots.scores
kept_words = words_in_python if _slots is None else _slots.kept_words
tally_blocks = tally_in_python if _slots is None else _slots.tally
removed_by_rule = rules_in_python if _slots is None else _slots.rules
judge_blocks = judge_in_python if _slots is None else _slots.judge
