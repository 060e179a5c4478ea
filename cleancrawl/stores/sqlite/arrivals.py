"""What pages have added to what is known of a site's blocks, before it is merged into the sorted tables.

Keys of blocks and fingerprints lie anywhere in a sorted table, so counting the blocks of one page changes a page of the
file for nearly each of them. Counted once for many pages they cost a fraction of that; till then each page is one row.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from cleancrawl.stores.page_rules import Sighting

DAY = 86_400
"""A block that was seen so many seconds ago or less is not written anew for that alone."""


class Arrival(NamedTuple):
    """What one record of a page counts: blocks by their keys, and the section of the site that it saw them in.

    A section is 0 where it does not count.
    """

    page: int
    moment: int
    article: bool
    new: Sequence[int] = ()
    """Blocks that the site did not have, those with a fingerprint first …"""
    nears: Sequence[int] = ()
    """… and the fingerprints."""
    new_sections: Sequence[int] = ()
    known: Sequence[int] = ()
    """Blocks that the site has from other pages."""
    known_sections: Sequence[int] = ()
    moved: Sequence[int] = ()
    """Blocks that were counted for the page as for one of another kind."""
    moved_sections: Sequence[int] = ()
    again: Sequence[int] = ()
    """Blocks that were counted for the page as they are, and have not been seen for long."""
    samples: Mapping[int, str] = {}
    """Texts of known blocks that have no sample."""

    def packed(self) -> bytes:
        """All but the first three and the texts.

        >>> arrival = Arrival(7, 1000, True, [5, -6], [9], [3, 0], [4], [3], [8], [3], [2], {4: "Read on"})
        >>> Arrival.unpacked(7, 1000, True, arrival.packed(), {4: "Read on"}) == arrival
        True
        """
        parts = self[3:-1]
        return array("q", [*map(len, parts), *(number for part in parts for number in part)]).tobytes()

    @classmethod
    def unpacked(cls, page: int, moment: int, article: bool, packed: bytes, samples: Mapping[int, str]) -> Arrival:
        numbers = array("q")
        numbers.frombytes(packed)
        parts, start = list[list[int]](), PARTS
        for length in numbers[:PARTS]:
            parts.append(numbers[start : start + length].tolist())
            start += length
        return cls._make([page, moment, article, *parts, samples])


PARTS = len(Arrival._fields) - 4


class BandHeap:
    """Fingerprints by their bands, in lists of numbers: each entry of a band leads to the one before."""

    __slots__ = ("_before", "_keys", "_last", "_nears")

    def __init__(self) -> None:
        self._keys, self._nears, self._before = array("q"), array("q"), array("q")
        self._last: dict[int, int] = {}

    def add(self, key: int, near: int) -> None:
        place = 4 * len(self._keys)
        self._keys.append(key)
        self._nears.append(near)
        for entry, band in enumerate(bands_of(near), place):
            self._before.append(self._last.get(band, -1))
            self._last[band] = entry

    def candidates(self, near: int) -> Iterator[tuple[int, int]]:
        """Keys and fingerprints that have a band in common with this one, some of them more than once.

        >>> heap = BandHeap()
        >>> heap.add(5, 0x1111_2222_3333_4444)
        >>> heap.add(6, 0x1111_0000_0000_0000)
        >>> [key for key, _ in heap.candidates(0x1111_FFFF_FFFF_FFFF)]
        [6, 5]
        """
        for band in bands_of(near):
            entry = self._last.get(band, -1)
            while entry >= 0:
                yield self._keys[entry >> 2], self._nears[entry >> 2]
                entry = self._before[entry]

    def in_order(self, site: int) -> Iterator[tuple[int, int, int]]:
        """Band with a site's bits, fingerprint and key of all entries, by bands."""
        nears = np.frombuffer(self._nears, np.int64)
        bands = np.concatenate([(nears >> 16 * band & 0xFFFF) + (band << 16) for band in range(4)])
        order = np.argsort(bands, kind="stable")
        places = order % max(len(nears), 1)
        keys = np.frombuffer(self._keys, np.int64)[places]
        return zip((bands[order] + site).tolist(), nears[places].tolist(), keys.tolist(), strict=True)


class _Page(NamedTuple):
    number: int
    moment: int
    article: bool


@dataclass(slots=True)
class SiteTable:
    """The rows of a site's blocks that were asked for, as they are after all arrivals.

    It stays right as long as nobody has merged (``merged``), and is brought up to date by the arrivals since
    (``arrived``), whichever process they come from. Most new blocks are on one page only: of these there are numbers
    alone, since Python's garbage collector looks at whatever is more, again and again.
    """

    merged: int
    arrived: int
    read_back: int = 0
    """Arrivals that had to be read from the file: another process's, or of a site that was away for a while."""
    rows: dict[int, Sighting | None] = field(default_factory=dict)
    """None where the site does not have a block, or it is in ``once``."""
    seen: dict[int, int] = field(default_factory=dict)
    """When each of them was last seen …"""
    sampled: set[int] = field(default_factory=set)
    """… and of which of them there is a sample."""
    once: dict[int, int] = field(default_factory=dict)
    """New blocks that one arrival has, by its place among …"""
    pages: list[_Page] = field(default_factory=list)
    sections: dict[int, int] = field(default_factory=dict)
    """… and the sections of these blocks, where they count."""
    new: dict[int, int | None] = field(default_factory=dict)
    """What a merge has to write: new blocks with their fingerprints …"""
    changed: set[int] = field(default_factory=set)
    """… others that are not as they are in the sorted table …"""
    samples: dict[int, str] = field(default_factory=dict)
    """… and the samples of both."""
    bands: BandHeap = field(default_factory=BandHeap)

    def missing(self, keys: Iterable[int]) -> list[int]:
        rows = self.rows
        return [key for key in keys if key not in rows]

    def put(self, row: Sighting, seen: int, *, sampled: bool) -> None:
        """A row of the sorted table."""
        self.rows[row.key], self.seen[row.key] = row, seen
        if sampled:
            self.sampled.add(row.key)

    def row(self, key: int) -> Sighting | None:
        """What is known of a block that was asked for."""
        if key not in self.once:
            return self.rows[key]
        page, section = self.pages[self.once[key]], self.sections.get(key, 0)
        return Sighting(
            *(key, int(page.article), 1 - page.article, page.number, page.number, section, section * section)
        )

    def rows_of_once(self, site: int, keys: Iterable[int]) -> Iterator[tuple[int, ...]]:
        """Of new blocks that one arrival has: site, key, whether it is an article's, page, section, moment."""
        once, sections = self.once, self.sections
        pages = [(int(page.article), page.number, page.moment) for page in self.pages]
        for key in keys:
            article, number, moment = pages[once[key]]
            yield site, key, article, number, sections.get(key, 0), moment

    def last_seen(self, key: int) -> int:
        return self.pages[self.once[key]].moment if key in self.once else self.seen[key]

    def has(self, key: int) -> bool:
        """Whether the site has a block that was asked for."""
        return key in self.new or self.rows[key] is not None

    def long_ago(self, keys: Iterable[int], moment: int) -> list[int]:
        """Which of these blocks were not seen for long before a moment."""
        return [key for key in keys if self.has(key) and self.last_seen(key) < moment - DAY]

    def add(self, arrival: Arrival, most: int) -> None:
        """Count an arrival; all of its keys have been asked for. Counts stop at ``most``."""
        self._add_new(arrival)
        for key, section in zip(arrival.known, arrival.known_sections, strict=True):
            self._count(key, section, arrival, most)
        self.samples.update(arrival.samples)
        self.sampled.update(arrival.samples)
        for key, section in zip(arrival.moved, arrival.moved_sections, strict=True):
            self._move(key, section, arrival)
        for key in self.long_ago([*arrival.moved, *arrival.again], arrival.moment):
            self._change(key, self.row(key), arrival.moment)
        self.arrived += 1

    def _add_new(self, arrival: Arrival) -> None:
        """All at once: on a site that is hardly known that is most of a page."""
        keys = arrival.new
        self.once.update(dict.fromkeys(keys, len(self.pages)))
        self.pages.append(_Page(*arrival[:3]))
        self.sections.update((key, section) for key, section in zip(keys, arrival.new_sections, strict=True) if section)
        self.new.update(zip_longest(keys, arrival.nears))
        for key, near in zip(keys, arrival.nears, strict=False):
            self.bands.add(key, near)

    def _count(self, key: int, section: int, arrival: Arrival, most: int) -> None:
        before = self.row(key)
        if before is None:
            return
        _, articles, others, first, _, total, squares = before
        if articles >= most:
            section = 0
        counts = (min(articles + arrival.article, most), min(others + 1 - arrival.article, most))
        row = Sighting(key, *counts, first, arrival.page, total + section, squares + section * section)
        self._change(key, row, max(self.last_seen(key), arrival.moment))

    def _move(self, key: int, section: int, arrival: Arrival) -> None:
        before = self.row(key)
        if before is None:
            return
        _, articles, others, first, last, total, squares = before
        step = 1 if arrival.article else -1
        counts = (max(0, articles + step), max(0, others - step))
        sums = (max(0, total + step * section), max(0, squares + step * section * section))
        self._change(key, Sighting(key, *counts, first, last, *sums), self.last_seen(key))

    def _change(self, key: int, row: Sighting | None, seen: int) -> None:
        self.rows[key], self.seen[key] = row, seen
        self.once.pop(key, None)
        if key not in self.new:
            self.changed.add(key)


def bands_of(near: int) -> tuple[int, int, int, int]:
    """The number of each band of a fingerprint and its sixteen bits, in one.

    >>> bands_of(-1) == (0xFFFF, 0x1FFFF, 0x2FFFF, 0x3FFFF)
    True
    """
    return (
        near & 0xFFFF,
        0x10000 | near >> 16 & 0xFFFF,
        0x20000 | near >> 32 & 0xFFFF,
        0x30000 | near >> 48 & 0xFFFF,
    )
