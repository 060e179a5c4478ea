"""Elements around what is kept, with how much of it they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cleancrawl.core.block import Removal
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout
from cleancrawl.methods.learned.features.sheet import running_sums


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

    @classmethod
    def of(cls, page: Page) -> KeptElements:
        layout = page.layout_of(TextLayout)
        kept = np.array([block.removed is None for block in page.blocks], dtype=np.int64)
        number, sums = running_sums(np.array((kept, kept * layout.measures.words)))
        places = np.flatnonzero(number[layout.end_block] > number[layout.first_block])
        first, end = layout.first_block[places], layout.end_block[places]
        return cls(places, first, end, sums[end] - sums[first], int(sums[-1]))

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        """Place, blocks and words of each."""
        columns = (self.places, self.first, self.end, self.words)
        return zip(*(column.tolist() for column in columns), strict=True)

    def some(self, chosen: Ints) -> KeptElements:
        """Those at some places of the arrays."""
        return KeptElements(self.places[chosen], self.first[chosen], self.end[chosen], self.words[chosen], self.total)


def named_paths(
    layout: TextLayout, places: Ints, pattern: re.Pattern[str], signs: tuple[str, ...]
) -> dict[int, re.Match[str]]:
    """The class paths of containers whose classes have a name in them, with what was found.

    One of ``signs`` is in whatever the pattern finds; most pages have none, and need no search by pattern.
    """
    names = layout.class_names
    classes = {path: name for path in set(layout.class_path[places].tolist()) if (name := names.get(path))}
    together = "\n".join(classes.values()).lower()
    if not any(sign in together for sign in signs):
        return {}
    return {path: match for path, name in classes.items() if (match := pattern.search(name))}


def remove(page: Page, first: int, end: int, rule: str, evidence: str) -> None:
    """Remove the kept ones among some blocks."""
    removal = Removal("score", rule, evidence)
    for block in page.blocks[first:end]:
        if block.removed is None:
            block.removed = removal
