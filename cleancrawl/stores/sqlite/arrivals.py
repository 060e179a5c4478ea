"""What pages have added to what is known of a site's blocks, before it is merged into the sorted tables.

Keys of blocks and fingerprints lie anywhere in a sorted table, so counting the blocks of one page changes a page of the
file for nearly each of them. Counted once for many pages they cost a fraction of that; till then each page is one row.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from cleancrawl.stores.page_rules import Sighting
from cleancrawl.stores.sqlite.site_rows import Rows, RowsInPython

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
        return array("q", [*map(len, parts), *chain.from_iterable(parts)]).tobytes()

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

    It stays right as long as nobody else has merged (``merged``), and is brought up to date by the arrivals since
    (``arrived``), whichever process they come from.
    """

    merged: int
    arrived: int
    whole: bool = False
    """Whether it has all blocks of the site, since it has seen them all arrive: nothing is looked up in the file."""
    read_back: int = 0
    """Arrivals that had to be read from the file: another process's, or of a site that was away for a while."""
    rows: RowsInPython = field(default_factory=Rows)
    samples: dict[int, str] = field(default_factory=dict)
    """Those that a merge has to write."""

    def missing(self, keys: Sequence[int]) -> list[int]:
        """Which of the keys have to be looked up in the sorted table."""
        return [] if self.whole else self.rows.missing(keys)

    def sightings(self, keys: Sequence[int]) -> list[Sighting | None]:
        """What is known of blocks that were asked for."""
        return self.rows.sightings(keys, Sighting._make)

    def long_ago(self, keys: Sequence[int], moment: int) -> list[int]:
        """Which of these blocks were not seen for long before a moment."""
        return self.rows.long_ago(keys, moment - DAY)

    def add(self, arrival: Arrival, most: int) -> None:
        """Count an arrival; all of its keys have been asked for. Counts stop at ``most``."""
        page, moment, article = arrival[:3]
        self.rows.add_new(page, moment, article, arrival.new, arrival.nears, arrival.new_sections)
        self.rows.count(arrival.known, arrival.known_sections, page, moment, article, most)
        self.rows.has_samples(arrival.samples)
        self.samples.update(arrival.samples)
        self.rows.move(arrival.moved, arrival.moved_sections, article)
        self.rows.seen_again(self.long_ago([*arrival.moved, *arrival.again], moment), moment)
        self.arrived += 1

    def settle(self, merged: int) -> None:
        """What it knows is in the sorted tables, all of it."""
        self.rows.settle(self.whole)
        self.samples.clear()
        self.merged = self.arrived = merged
        self.read_back = 0
