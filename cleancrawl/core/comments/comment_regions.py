"""Where the readers' comments of a page stand, from its layout alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.comments.alike_groups import alike_groups
from cleancrawl.core.comments.comment_words import SHORT, is_date, says_button, says_heading
from cleancrawl.core.comments.telling_lines import telling_lines
from cleancrawl.core.comments.threads import is_thread
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page, Region
from cleancrawl.core.rules.class_hints import hint_names
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout
from cleancrawl.core.text.characters import DIGIT
from cleancrawl.core.text.words import plain_words_of

_LONGEST = 200
_BUTTON = 6
"""Words of a button, at most."""
Flags = NDArray[np.bool_]
AHEAD = 12
"""Blocks behind the last kept one that are looked at: its date or button may follow it."""
OUTWEIGHED = 10
"""A thread with this many times the words of what comes with it is the content, whatever the page is called."""
MOST_HEADINGS = 1000
"""Headings of comments that a page is asked about."""
WHOLE = 0.9
"""An element with a larger share of the blocks is the page: ``comments-open`` on BODY tells nothing."""


def comment_regions(page: Page, kept: Flags, min_outside: int, last: int | None = None) -> tuple[Region, ...]:
    """The runs of blocks that are readers' comments, in order; none on a page whose thread is the content.

    ``kept`` says which blocks are taken for content: comments have at least ``min_outside`` words of it before them.
    Where only the fate of kept blocks matters, ``last`` is behind the last of them: what lies further costs nothing.
    """
    stop = len(page.blocks) if last is None else min(last + AHEAD, len(page.blocks))
    finder = _Finder(page, kept, min_outside, stop, everything=last is None)
    if finder.start >= finder.stop:
        return ()
    found = finder.found()
    if not found or finder.outweighed(found) or is_thread(page):
        return ()
    return tuple(sorted(found, key=lambda region: region.first))


def named_containers(layout: TextLayout) -> Ints:
    """The containers that class, id, role, itemprop or itemtype name after comments, in document order."""
    bit = 1 << hint_names().index("comment")
    sizes = layout.end_block - layout.first_block
    named: Ints = np.flatnonzero((layout.hints & bit > 0) & (sizes > 0) & (sizes < WHOLE * len(layout.container)))
    return named


class _Finder:
    """One page's look for comments; sums are prefix sums, so that nested containers cost nothing."""

    def __init__(self, page: Page, kept: Flags, min_outside: int, stop: int, *, everything: bool) -> None:
        self.stop, self.everything = stop, everything
        self.page, self.kept, self.min_outside = page, kept, min_outside
        self.layout = page.layout_of(TextLayout)
        self.words = self.layout.measures.words
        self.kept_words = np.concatenate(([0], np.cumsum(self.words * kept)))
        start = int(np.searchsorted(self.kept_words, min_outside)) - 1 if self.kept_words[-1] >= min_outside else -1
        self.start = start + 1 if start >= 0 else len(page.blocks)
        """Before this block there is not yet enough content."""
        self._paths_before: tuple[int, frozenset[int]] = (-1, frozenset())
        self.named_ones = self._named()
        self.short = places = self._short()
        texts = [page.blocks[index].text[:_LONGEST] for index in places]
        # One look at all of them first: most pages have nothing to say here.
        told = telling_lines(texts)
        said = list(zip([places[line] for line in told], plain_words_of([texts[line] for line in told]), strict=True))
        self.headings = [index for index, line in said if says_heading(line)]
        self.buttons = [index for index, line in said if len(line) <= _BUTTON and says_button(line)]

    @cached_property
    def signs_before(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self.signs)))

    @cached_property
    def signs(self) -> Ints:
        """Which blocks only discussions have in numbers: dates and buttons. Dates cost most, and come last."""
        signs = np.zeros(len(self.page.blocks), dtype=np.int64)
        signs[self.buttons] = 1
        if not (len(self.named_ones) or self.headings or len(self.buttons) > 1):
            return signs
        # What comes before all that may be comments says nothing of them; a date may stand right above its button.
        named = self.layout.first_block[self.named_ones].tolist()
        first = min([*named, *self.headings, *self.buttons]) - AHEAD
        # A ``time`` says itself what it is, in whatever words.
        timed = self.layout.marks > 0
        digits = self.layout.measures.counts[DIGIT] > 0
        for index in self.short:
            if index >= first and (timed[index] or (digits[index] and is_date(self.page.blocks[index].text))):
                signs[index] = 1
        return signs

    def _named(self) -> Ints:
        """The named containers with something to decide in them."""
        named = named_containers(self.layout)
        first, end = self.layout.first_block[named], self.layout.end_block[named]
        chosen = (first >= self.start) & (first < self.stop)
        if not self.everything:
            chosen &= self.kept_words[end] > self.kept_words[first]
        inside: Ints = named[chosen]
        return inside

    def _short(self) -> list[int]:
        """The short blocks after enough content."""
        places: list[int] = (np.flatnonzero(self.words[self.start : self.stop] <= SHORT) + self.start).tolist()
        return places

    def found(self) -> list[Region]:
        regions: list[Region] = []
        if not (len(self.named_ones) or self.headings or self.buttons):
            return regions  # as on most pages
        # A page may have thousands of regions: each with each would take their square.
        taken = np.zeros(len(self.page.blocks), dtype=np.bool_)
        for candidates in (self.named(), self.headed(), self.grouped()):
            for region in candidates:
                if not taken[region.first : region.end].any():
                    taken[region.first : region.end] = True
                    regions.append(region)
        return regions

    def outweighed(self, regions: list[Region]) -> bool:
        """Whether next to nothing would be left without the comments."""
        inside = sum(int(self.kept_words[region.end] - self.kept_words[region.first]) for region in regions)
        return inside >= OUTWEIGHED * (int(self.kept_words[-1]) - inside)

    def named(self) -> Iterator[Region]:
        """Outermost first: where a container cannot be one, those in it may."""
        layout, reach, origin = self.layout, 0, len(self.page.blocks)
        for container in self.named_ones.tolist():
            first, end = int(layout.first_block[container]), int(layout.end_block[container])
            if (
                first >= max(reach, self.start)
                and self.likely(first, end, least=1)
                and not self.alike(first, end, origin)
            ):
                reach, origin = end, min(origin, first)
                yield Region(first, end, "by its class, id or type")

    def headed(self) -> Iterator[Region]:
        layout, reach = self.layout, 0
        for index in self.headings[:MOST_HEADINGS]:
            block = self.page.blocks[index]
            if index < reach or block.link_words >= block.words:
                continue
            container = int(layout.container[index])
            while container and layout.end_block[container] <= index + 1:
                container = int(layout.parent[container])
            end = self.section_end(index, int(layout.end_block[container]))
            numbered = any(map(str.isdigit, block.text))
            if self.likely(index, end, least=1 if numbered or block.tag in HEADINGS else 2):
                reach = end
                yield Region(index, end, f"below “{block.text[:60]}”")

    def section_end(self, index: int, end: int) -> int:
        """Where the section of a heading ends: at the next one of its level, and behind the last comment in it."""
        block = self.page.blocks[index]
        if block.tag in HEADINGS:
            # No slice: the rest of the page would be copied for each of them.
            for place in range(index + 1, end):
                later = self.page.blocks[place]
                if later.tag in HEADINGS and later.tag <= block.tag and not self.date_near(later.index, end):
                    end = later.index
                    break
        signs = np.flatnonzero(self.signs[index + 1 : end])
        if not len(signs):
            return end
        last = index + 1 + int(signs[-1])
        # The paragraphs of the last comment are in elements like those of the ones before.
        paths = self.layout.class_path[self.layout.container]
        texts = set(paths[index + 1 : last][self.words[index + 1 : last] > 3].tolist())
        stop = last + 1
        while stop < end and (int(paths[stop]) in texts or (not texts and stop == last + 1)):
            stop += 1
        return stop

    def date_near(self, index: int, end: int) -> bool:
        """Whether a heading names the author or the subject of one comment."""
        return bool(self.signs[index : min(index + 3, end)].any())

    def grouped(self) -> Iterator[Region]:
        if len(self.buttons) > 1 and self.signs_before[-1] >= 3:
            yield from alike_groups(self.page, self.signs, self.start)

    def likely(self, first: int, end: int, least: int) -> bool:
        """Whether a run of blocks after the content has the signs of comments; the more it outweighs it, the more."""
        signs = int(self.signs_before[end] - self.signs_before[first])
        inside, before = int(self.kept_words[end] - self.kept_words[first]), int(self.kept_words[first])
        return before >= self.min_outside and signs >= least + (inside > before)

    def alike(self, first: int, end: int, origin: int) -> bool:
        """Whether the long texts in a run stand in elements like those before all comments: posts of one thread."""
        long, paths = self.long_texts
        start, stop = np.searchsorted(long, (first, end)).tolist()
        if start == stop:
            return False
        before = min(first, origin)
        if self._paths_before[0] != before:  # mostly the same for all containers of a page
            self._paths_before = before, frozenset(paths[: int(np.searchsorted(long, before))].tolist())
        outside = self._paths_before[1]
        return bool(2 * sum(path in outside for path in paths[start:stop].tolist()) > stop - start)

    @cached_property
    def long_texts(self) -> tuple[Ints, Ints]:
        """The blocks of long texts that were kept, and their class paths."""
        long = np.flatnonzero(self.kept & (self.words > 20))
        return long, self.layout.class_path[self.layout.container[long]]
