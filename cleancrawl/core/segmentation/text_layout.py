"""What the text segmentation learned about all blocks of a page at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Layout
from cleancrawl.core.rules.attributes import Hit
from cleancrawl.core.text.characters import KINDS, SPACE, UNSPACED, character_kinds, word_kinds

Ints = NDArray[np.int64]

Hits = dict[int, Hit]
ToldLinks = dict[int, tuple[Hit, int]]
Names = dict[int, str]

ByBlock = Annotated[Ints, "block"]
ByContainer = Annotated[Ints, "container"]


@dataclass(slots=True, eq=False)
class Measures:
    """Arrays over the texts of blocks."""

    lengths: ByBlock
    """Characters."""
    words: ByBlock
    """``text.count_words``."""
    runs: ByBlock
    """Runs of letters and digits."""
    first_kind: ByBlock
    """The kind of the first character."""
    last_kind: ByBlock
    counts: Ints
    """Characters of each kind (rows) in each text (columns)."""

    @classmethod
    def of(cls, columns: Ints) -> Measures:
        """From columns in the order of the fields."""
        fields: list[Ints] = [*columns[: -len(KINDS)], columns[-len(KINDS) :]]
        return cls(*fields)


@dataclass(slots=True, eq=False)
class TextLayout(Layout):
    """Arrays over blocks and over containers (block-level elements, in document order; 0 is the document).

    The blocks of a container and its descendants are ``first_block[c]:end_block[c]``, so that any sum over a
    subtree is a difference of two prefix sums.
    """

    container: ByBlock
    """The innermost container of each block."""
    link_words: ByBlock
    link_chars: ByBlock
    strong_chars: ByBlock
    links: ByBlock
    images: ByBlock
    """Images met since the block before."""
    marks: ByBlock
    """``time``, ``input`` and ``label`` elements met since the block before."""
    parent: ByContainer
    tag: ByContainer
    """``tags.TAG_IDS`` of each container."""
    depth: ByContainer
    hints: ByContainer
    """Bits of ``core.hints`` in the class, id, role and itemprop of each container."""
    hidden: ByContainer
    """The outermost hidden container around each container, or 0."""
    path: ByContainer
    """The same number for containers with the same tags from the root."""
    class_path: ByContainer
    """The same number for containers with the same tags and classes from the root."""
    first_block: ByContainer
    end_block: ByContainer
    measures: Measures
    hits: Hits
    """Containers that a rule on tags and attributes hits (METHODS A2), by their own or by those of what they embed."""
    told_links: ToldLinks
    """Blocks with links to social sites or advertisers: what the first one tells, and the characters in all of them."""
    class_names: Names
    """The class attribute of the first container of each class path, where it has one."""

    @classmethod
    def of(
        cls,
        blocks: Iterable[Ints],
        containers: Iterable[Ints],
        measures: Measures,
        hits: Hits,
        told_links: ToldLinks,
        class_names: Names,
    ) -> TextLayout:
        """From ``BLOCK_COLUMNS`` and ``CONTAINER_COLUMNS``."""
        columns: list[Any] = [*blocks, *containers, measures, hits, told_links, class_names]
        return cls(*columns)


def _columns(layout: type, wanted: object) -> tuple[str, ...]:
    types = get_type_hints(layout, include_extras=True)
    return tuple(field.name for field in fields(layout) if types[field.name] == wanted)


BLOCK_COLUMNS, CONTAINER_COLUMNS = _columns(TextLayout, ByBlock), _columns(TextLayout, ByContainer)
MEASURE_COLUMNS = _columns(Measures, ByBlock)
"""What both ways of reading a page fill, in the order of the fields, where a new one is declared. After the columns of
measures come the counts of ``KINDS``."""


def measure(texts: Sequence[str]) -> Measures:
    """Measure all texts at once; none is empty.

    >>> found = measure(["One, two.", "北京!"])
    >>> found.lengths.tolist(), found.words.tolist(), found.runs.tolist(), found.counts[UNSPACED].tolist()
    ([9, 3], [2, 3], [2, 1], [0, 2])
    """
    size = len(texts)
    lengths = np.array(list(map(len, texts)), dtype=np.int64)
    if not size:
        return Measures.of(np.zeros((len(MEASURE_COLUMNS) + len(KINDS), 0), np.int64))
    # Joined by line feeds, which are nobody's.
    kinds = character_kinds("\n".join(texts))
    starts = np.cumsum(lengths + 1) - lengths - 1
    owners = _Owners(starts, lengths)
    counts = owners.count(kinds, len(KINDS)).reshape(-1, len(KINDS)).T.copy()
    counts[SPACE, :-1] -= 1
    unspaced = kinds == UNSPACED
    word = (kinds != SPACE) & ~unspaced
    word[1:] &= ~word[:-1]
    word |= unspaced
    run = word_kinds()[kinds]
    run[1:] &= ~run[:-1]
    return Measures(
        lengths=lengths,
        words=owners.count_true(word),
        runs=owners.count_true(run),
        counts=counts,
        first_kind=kinds[starts].astype(np.int64),
        last_kind=kinds[starts + lengths - 1].astype(np.int64),
    )


_SLICE = 1_000_000


class _Owners:
    """To which text each character belongs. What is known per character is made for a million of them at a time."""

    def __init__(self, starts: Ints, lengths: Ints) -> None:
        self.size, self.starts = len(starts), starts
        self.characters = int(starts[-1] + lengths[-1])
        self.bounds = range(0, self.characters, _SLICE)
        self.last = -1, np.zeros(0, dtype=np.int64)

    def count(self, values: NDArray[np.uint8], most: int) -> Ints:
        """How often each text has each value below ``most``: a cell for each."""
        cells = np.zeros(self.size * most, dtype=np.int64)
        for first in self.bounds:
            part = values[first : first + _SLICE]
            cells += np.bincount(self.of(first, len(part)) * most + part, minlength=len(cells))
        return cells

    def count_true(self, flags: NDArray[np.bool_]) -> Ints:
        found = np.zeros(self.size, dtype=np.int64)
        for first in self.bounds:
            part = flags[first : first + _SLICE]
            found += np.bincount(self.of(first, len(part))[part], minlength=self.size)
        return found

    def of(self, first: int, count: int) -> Ints:
        """The texts of so many characters from one on; the line feed behind a text counts as its own."""
        if self.last[0] != first:
            begins = np.clip(self.starts - first, 0, count)
            self.last = first, np.repeat(np.arange(self.size), np.diff(begins, append=count))
        return self.last[1]
