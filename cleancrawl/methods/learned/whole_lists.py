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
from cleancrawl.methods.learned.features.sheet import running_sums

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
    """The same for tables and definition lists between paragraphs of the text: cells are shorter than items."""
    max_link_share: float = 0.3
    """Lists with more words in links are menus and teasers; the score of each entry stands."""
    max_share: float = 0.5
    """A list with more than this share of the kept words is the page's layout."""

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(TextLayout)
        lists = np.flatnonzero(_IS_LIST[layout.tag] & (layout.end_block - layout.first_block > 1))
        # Menus are most of all lists: those that are mostly links are left out first.
        counted, linked = running_sums(layout.measures.words), running_sums(layout.link_words)
        first, end = layout.first_block[lists], layout.end_block[lists]
        lists = lists[linked[end] - linked[first] <= self.max_link_share * (counted[end] - counted[first])]
        if not len(lists):
            return
        kept = np.array([block.removed is None for block in page.blocks])
        if not kept.any() or kept.all():
            return
        first, end = layout.first_block[lists], layout.end_block[lists]
        words = layout.measures.words
        scores = np.array([block.score or 0.0 for block in page.blocks])
        sums = running_sums(np.array((words * kept, words * scores, kept)))
        stay, scored, number = sums[:, end] - sums[:, first]
        mean = scored / np.maximum(counted[end] - counted[first], 1)
        fit = stay <= self.max_share * sums[0, -1]
        prose = np.flatnonzero(kept & (words - layout.link_words >= 15))
        inside = (first > prose[0]) & (end <= prose[-1]) if len(prose) else np.zeros(len(lists), bool)
        bar = np.where(_IS_TABLE[layout.tag[lists]] & inside, self.whole_table, self.whole)
        mixed = fit & (number < end - first)
        for place in _outermost(np.flatnonzero(mixed & (mean >= bar)), end):
            for block in page.blocks[first[place] : end[place]]:
                if was_judged(block):
                    bring_back(page, block, f"part of a list that scores {mean[place]:.2f}")


def _outermost(places: NDArray[np.int64], end: NDArray[np.int64]) -> Iterator[int]:
    """The lists that lie in no other of them: thousands may lie in each other. A list comes before those in it."""
    done = 0
    for place in places.tolist():
        if end[place] > done:
            done = int(end[place])
            yield place
