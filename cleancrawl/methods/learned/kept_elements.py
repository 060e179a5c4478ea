"""Elements around what is kept, with how much of it they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cleancrawl.core.block import Removal
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout
from cleancrawl.methods.learned.features.sheet import Bools, running_sums

_MEMO = "kept-elements"
_REMEMBERED, _LONGEST = 10_000, 1_000
"""So many classes of at most so many characters."""


@dataclass(frozen=True, slots=True)
class KeptElements:
    """Containers with at least one kept block, in the order of the page; an array each."""

    places: Ints
    first: Ints
    """The blocks of a container are those from the first …"""
    end: Ints
    """… to before this one."""
    words: Ints
    """Kept ones inside."""
    total: int
    """Kept words of the page."""
    classes: dict[int, str]
    """The classes of these containers, by class path, where they have some."""

    @classmethod
    def of(cls, page: Page) -> KeptElements:
        """Made once for as long as the same blocks are kept: several stages ask, and few change anything."""
        flags, layout = kept_blocks(page.blocks), page.layout_of(TextLayout)
        known: tuple[bytes, TextLayout, KeptElements] | None = page.memo.get(_MEMO)
        if known is not None and known[0] == flags and known[1] is layout:
            return known[2]
        kept = np.frombuffer(flags, dtype=np.uint8)
        number, sums = running_sums(np.array((kept, kept * layout.measures.words)))
        places = np.flatnonzero(number.take(layout.end_block) > number.take(layout.first_block))
        first, end, names = layout.first_block[places], layout.end_block[places], layout.class_names
        classes = {path: name for path in set(layout.class_path[places].tolist()) if (name := names.get(path))}
        found = cls(places, first, end, sums[end] - sums[first], int(sums[-1]), classes)
        page.memo[_MEMO] = flags, layout, found
        return found

    def some(self, chosen: Ints) -> Iterator[tuple[int, int, int, int]]:
        """Place, blocks and words of those at some places of the arrays."""
        columns = (self.places, self.first, self.end, self.words)
        return zip(*(column[chosen].tolist() for column in columns), strict=True)

    def named(self, names: NamesFound) -> dict[int, re.Match[str]]:
        """The class paths of containers whose classes have a name in them, with what was found."""
        return {path: match for path, classes in self.classes.items() if (match := names.search(classes))}


class NamesFound:
    """What a pattern finds in classes; these come again with each page of a site, and are remembered."""

    __slots__ = ("_known", "_pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern, self._known = pattern, lru_cache(maxsize=_REMEMBERED)(pattern.search)

    def search(self, classes: str) -> re.Match[str] | None:
        return self._known(classes) if len(classes) <= _LONGEST else self._pattern.search(classes)


def kept_flags(page: Page) -> Bools:
    """Which blocks are kept; not to be written to."""
    return np.frombuffer(kept_blocks(page.blocks), dtype=np.bool_)


def remove(page: Page, first: int, end: int, rule: str, evidence: str) -> None:
    """Remove the kept ones among some blocks."""
    removal = Removal("score", rule, evidence)
    for block in page.blocks[first:end]:
        if block.removed is None:
            block.removed = removal
