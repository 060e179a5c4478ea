"""What pages have added to what is known of a site's blocks, before it is merged into the sorted tables.

Keys of blocks and fingerprints lie anywhere in a sorted table, so counting the blocks of one page changes a page of the
file for nearly each of them. Counted once for many pages they cost a fraction of that; till then each page is one row.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat, zip_longest
from typing import NamedTuple

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


@dataclass(slots=True)
class SiteTable:
    """The rows of a site's blocks that were asked for, as they are after all arrivals.

    It stays right as long as nobody has merged (``merged``), and is brought up to date by the arrivals since
    (``arrived``), whichever process they come from.
    """

    merged: int
    arrived: int
    read_back: int = 0
    """Arrivals that had to be read from the file: another process's, or of a site that was away for a while."""
    rows: dict[int, Sighting | None] = field(default_factory=dict)
    """None where the site does not have a block."""
    seen: dict[int, int] = field(default_factory=dict)
    """When each of them was last seen …"""
    sampled: set[int] = field(default_factory=set)
    """… and of which of them there is a sample."""
    new: dict[int, int | None] = field(default_factory=dict)
    """What a merge has to write: new blocks with their fingerprints …"""
    changed: set[int] = field(default_factory=set)
    """… others that are not as they are in the sorted table …"""
    samples: dict[int, str] = field(default_factory=dict)
    """… and the samples of both."""
    bands: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Fingerprints and keys of the new blocks, by bands of the fingerprint."""

    def missing(self, keys: Iterable[int]) -> list[int]:
        rows = self.rows
        return [key for key in keys if key not in rows]

    def long_ago(self, keys: Iterable[int], moment: int) -> list[int]:
        """Which of these blocks were not seen for long before a moment."""
        return [key for key in keys if self.seen.get(key, moment) < moment - DAY]

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
            self.seen[key] = arrival.moment
            self._change(key)
        self.arrived += 1

    def _add_new(self, arrival: Arrival) -> None:
        """All at once: on a site that is hardly known that is most of a page."""
        keys, sections = arrival.new, arrival.new_sections
        counts = (repeat(int(arrival.article)), repeat(1 - arrival.article))
        squares = [section * section for section in sections]
        columns = zip(keys, *counts, repeat(arrival.page), repeat(arrival.page), sections, squares, strict=False)
        self.rows.update(zip(keys, map(Sighting._make, columns), strict=True))
        self.seen.update(dict.fromkeys(keys, arrival.moment))
        self.new.update(zip_longest(keys, arrival.nears))
        for key, near in zip(keys, arrival.nears, strict=False):
            for band in bands_of(near):
                self.bands.setdefault(band, []).append((near, key))

    def _count(self, key: int, section: int, arrival: Arrival, most: int) -> None:
        before = self.rows[key]
        if before is None:
            return
        _, articles, others, first, _, total, squares = before
        if articles >= most:
            section = 0
        counts = (min(articles + arrival.article, most), min(others + 1 - arrival.article, most))
        self.rows[key] = Sighting(key, *counts, first, arrival.page, total + section, squares + section * section)
        self.seen[key] = max(self.seen[key], arrival.moment)
        self._change(key)

    def _move(self, key: int, section: int, arrival: Arrival) -> None:
        before = self.rows[key]
        if before is None:
            return
        _, articles, others, first, last, total, squares = before
        step = 1 if arrival.article else -1
        counts = (max(0, articles + step), max(0, others - step))
        sums = (max(0, total + step * section), max(0, squares + step * section * section))
        self.rows[key] = Sighting(key, *counts, first, last, *sums)
        self._change(key)

    def _change(self, key: int) -> None:
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
