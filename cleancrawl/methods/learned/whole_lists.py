"""Lists, tables and definition lists are kept as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.html.tags import TAG_IDS, tag_ids
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.brought_back import bring_back, was_judged
from cleancrawl.methods.learned.features.sheet import Floats, running_sums
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

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(TextLayout)
        lists = np.flatnonzero(_IS_LIST[layout.tag] & (layout.end_block - layout.first_block > 1))
        if not len(lists):
            return
        # Menus are most of all lists: those that are mostly links are left out first.
        words = layout.measures.words
        sums = running_sums(np.array((words, layout.link_words)))
        counted, linked = _held(sums, layout, lists)
        chosen = linked <= self.max_link_share * counted
        lists, counted = lists[chosen], counted[chosen]
        if not len(lists):
            return
        kept = kept_flags(page)
        if not kept.any() or kept.all():
            return
        scores = np.array([block.score or 0.0 for block in page.blocks])
        sums = running_sums(np.array((words * kept, words * scores, kept)))
        stay, scored, number = _held(sums, layout, lists)
        first, end = layout.first_block[lists], layout.end_block[lists]
        mean = scored / np.maximum(counted, 1)
        # Few lists are left: a rest that is missing, and a mean that may reach a bar.
        fit = (stay <= self.max_share * sums[0, -1]) & (number < end - first)
        fit &= mean >= min(self.whole, self.whole_table)
        if not fit.any():
            return
        prose = np.flatnonzero(kept & (words - layout.link_words >= 15))
        in_text = np.zeros(len(lists), bool)
        if len(prose):
            follows = (number > 0) & (end - first >= self.min_cells)
            follows &= sums[2, first] > sums[2, np.maximum(first - self.reach, 0)]
            in_text = (first > prose[0]) & ((end <= prose[-1]) | follows)
        bar = np.where(_IS_TABLE[layout.tag[lists]] & in_text, self.whole_table, self.whole)
        for place in _outermost(np.flatnonzero(fit & (mean >= bar)), end):
            for block in page.blocks[first[place] : end[place]]:
                if was_judged(block):
                    bring_back(page, block, f"part of a list that scores {mean[place]:.2f}")


def _held(sums: Floats, layout: TextLayout, lists: NDArray[np.int64]) -> Floats:
    """The sums over the blocks of each list."""
    held: Floats = sums.take(layout.end_block[lists], axis=1) - sums.take(layout.first_block[lists], axis=1)
    return held


def _outermost(places: NDArray[np.int64], end: NDArray[np.int64]) -> Iterator[int]:
    """The lists that lie in no other of them: thousands may lie in each other. A list comes before those in it."""
    done = 0
    for place in places.tolist():
        if end[place] > done:
            done = int(end[place])
            yield place
