"""Lists, tables and definition lists are kept as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block_columns import block_scores
from cleancrawl.core.html.tags import TAG_IDS, tag_ids
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout
from cleancrawl.methods.learned.brought_back import bring_back, was_judged
from cleancrawl.methods.learned.features.sheet import Bools, Floats, running_sums
from cleancrawl.methods.learned.kept_elements import kept_flags

_IS_LIST, _IS_TABLE = np.zeros((2, len(TAG_IDS)), dtype=bool)
_IS_LIST[list(tag_ids("ul", "ol", "dl", "table"))] = True
_IS_TABLE[list(tag_ids("dl", "table"))] = True


@dataclass(frozen=True, slots=True)
class WholeLists:
    """Bring back the rest of a list of which most is content.

    "Salt" in a list of ingredients scores little; the list's mean score, weighed by words, knows better. Runs after a
    score. Needs ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    whole: float = 0.5
    """From this mean score on, all of a list is content."""
    whole_table: float = 0.2
    """The same for tables and definition lists between paragraphs of the text, and for those that follow the text and
    have a kept cell: cells are shorter than items."""
    reach: int = 3
    """Blocks before a table that follows the text among which the text's last one is: a button or a note may lie
    between."""
    min_cells: int = 5
    """Blocks of such a table: of two or three cells one may be kept by mistake."""
    max_link_share: float = 0.3
    """Lists with more words in links are menus and teasers; the score of each entry stands."""
    max_share: float = 0.5
    """A list with more than this share of the kept words is the page's layout."""

    prose: int = 15
    """Words outside of links that make a kept block a paragraph of the text."""

    def __call__(self, page: Page) -> None:
        layout, blocks = page.layout_of(TextLayout), page.blocks
        columns = layout.tag, layout.first_block, layout.end_block, layout.measures.words, layout.link_words
        verdicts = kept_flags(page), np.frombuffer(block_scores(blocks))
        counts = self.prose, self.reach, self.min_cells
        shares = self.max_link_share, self.max_share, self.whole, self.whole_table
        for first, end, mean in _content_lists(*columns, *verdicts, _IS_LIST, _IS_TABLE, *counts, *shares):
            for block in blocks[first:end]:
                if was_judged(block):
                    bring_back(page, block, f"part of a list that scores {mean:.2f}")


def content_lists_in_python(
    tag: Ints,
    first_block: Ints,
    end_block: Ints,
    words: Ints,
    link_words: Ints,
    kept: Bools,
    scores: Floats,
    is_list: Bools,
    is_table: Bools,
    prose: int,
    reach: int,
    min_cells: int,
    max_link_share: float,
    max_share: float,
    whole: float,
    whole_table: float,
) -> list[tuple[int, int, float]]:
    """First block, end and mean score of each list that is content and not kept as a whole, the outermost ones."""
    lists = np.flatnonzero(is_list[tag] & (end_block - first_block > 1))
    if not len(lists) or not kept.any():
        return []
    sums = running_sums(np.array((words, link_words, words * kept, kept, words * scores), dtype=np.float64))
    counted, linked, stay, number, scored = sums.take(end_block[lists], axis=1) - sums.take(first_block[lists], axis=1)
    first, end = first_block[lists], end_block[lists]
    mean = scored / np.maximum(counted, 1)
    fit = (linked <= max_link_share * counted) & (stay <= max_share * sums[2, -1]) & (number < end - first)
    paragraphs = np.flatnonzero(kept & (words - link_words >= prose))
    in_text = np.zeros(len(lists), bool)
    if len(paragraphs):
        follows = (number > 0) & (end - first >= min_cells)
        follows &= sums[3, first] > sums[3, np.maximum(first - reach, 0)]
        in_text = (first > paragraphs[0]) & ((end <= paragraphs[-1]) | follows)
    bar = np.where(is_table[tag[lists]] & in_text, whole_table, whole)
    fit &= (mean >= bar) & (mean >= min(whole, whole_table))
    return [(int(first[place]), int(end[place]), float(mean[place])) for place in _outermost(np.flatnonzero(fit), end)]


def _outermost(places: NDArray[np.int64], end: NDArray[np.int64]) -> Iterator[int]:
    """The lists that lie in no other of them: thousands may lie in each other. A list comes before those in it."""
    done = 0
    for place in places.tolist():
        if end[place] > done:
            done = int(end[place])
            yield place


_part = compiled("whole_lists")
_content_lists = content_lists_in_python if _part is None else _part.content_lists
