"""Blocks of a site and the pages that have them, as counts that can be added up in any order.

Rows are one block of one site each: on how many pages with an article it is and on how many others, and the least and
the greatest number of a page that has it. Sums, least and greatest values do not depend on how pages were divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Known
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.memory.block_index import BlockIndex
from cleancrawl.stores.page_rules import Own
from cleancrawl.stores.protocol import Limits

ROW = np.dtype(
    [
        *(("key", "<u8"), ("near", "<u8"), ("long", "?")),
        *(("articles", "<u4"), ("others", "<u4"), ("first", "<u4"), ("last", "<u4")),
    ]
)
BLOCKS_PER_SITE = Limits().blocks_per_site
"""As in a store; above it the rarest go, all that are as rare."""
_AT_ONCE = 10_000
_HEADER = 8

Rows = NDArray[Any]


def short_number(number: int) -> int:
    """A page's number in 32 bits, as rows have it; 0 stands for none.

    >>> short_number(5), short_number(1 << 32)
    (5, 1)
    """
    return (number & 0xFFFF_FFFF) or 1


def page_rows(facts: PageFacts, number: int, article: bool) -> Rows:
    """The rows of one page, which is the distinct page of this number; a block that it has twice is one."""
    keys = np.frombuffer(facts.keys, "<u8")
    found, places = np.unique(keys, return_index=True)
    rows = np.zeros(len(found), ROW)
    rows["key"] = found
    rows["near"] = np.frombuffer(facts.near, "<u8")[places]
    rows["long"] = np.frombuffer(facts.long, np.bool_)[places]
    rows["articles" if article else "others"] = 1
    rows["first"] = rows["last"] = short_number(number)
    return rows


def combined(parts: Sequence[Rows]) -> Rows:
    """Rows of several parts as one row per block."""
    rows = np.concatenate([np.zeros(0, ROW), *parts])
    if not len(rows):
        return rows
    rows = rows[np.argsort(rows["key"], kind="stable")]
    starts = np.flatnonzero(np.r_[True, rows["key"][1:] != rows["key"][:-1]])
    found = rows[starts].copy()
    for name, reduction in (("articles", np.add), ("others", np.add), ("first", np.minimum), ("last", np.maximum)):
        found[name] = reduction.reduceat(rows[name], starts)
    found["near"] = np.maximum.reduceat(rows["near"], starts)
    found["long"] = np.logical_or.reduceat(rows["long"], starts)
    return found


def union_rows(members: Sequence[PageFacts], number: int) -> Rows:
    """The rows of pages that are copies of one another: one page, with the blocks of all of them.

    It is an article where one of them is.
    """
    article = any(member.article for member in members)
    rows = combined([page_rows(member, number, article) for member in members])
    rows["articles"], rows["others"] = int(article), int(not article)
    return rows


def least_pages(histogram: dict[int, int], most: int = BLOCKS_PER_SITE) -> int:
    """On how many pages a block must be to stay, where a site has so many blocks on so many pages each.

    >>> least_pages({1: 900, 2: 80, 3: 20}, most=1000), least_pages({1: 900, 2: 80, 3: 21}, most=1000)
    (1, 2)
    """
    left = sum(histogram.values())
    for pages in sorted(histogram):
        if left <= most:
            return pages
        left -= histogram[pages]
    return max(histogram, default=0) + 1


def telling(rows: Rows) -> Rows:
    """The rows that tell another page something: blocks on two pages or more, and those that are like another one."""
    several = rows["articles"] + rows["others"] >= 2
    singles = np.flatnonzero(rows["long"] & ~several)
    if len(singles):
        long = np.flatnonzero(rows["long"])
        index = BlockIndex()
        index.add_columns(rows["key"][long], rows["near"][long], rows["long"][long], True, 0, 0)
        for start in range(0, len(singles), _AT_ONCE):
            chunk = singles[start : start + _AT_ONCE]
            found = index.find_near(rows["near"][chunk].tolist())
            several[chunk] = [len(alike) > 1 for alike in found]
    kept: Rows = rows[several]
    return kept


@dataclass(slots=True)
class SiteBlocks:
    """What is known of one site: its blocks that tell something, the number of its distinct pages, notes of stages."""

    index: BlockIndex = field(default_factory=BlockIndex)
    pages: int = 0
    notes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def unpack(cls, packed: bytes, notes: dict[str, str]) -> SiteBlocks:
        rows = np.frombuffer(packed, ROW, offset=_HEADER)
        index = BlockIndex()
        index.add_columns(rows["key"], rows["near"], rows["long"], True, 0, 0)
        for name in ("articles", "others", "first", "last"):
            getattr(index, name)[: len(rows)] = rows[name]
        return cls(index, int.from_bytes(packed[:_HEADER], "little"), notes)

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return self.index.nbytes + sum(map(len, self.notes.values()))

    def known(self, facts: PageFacts, lengths: Sequence[int], own: Own) -> Known:
        """On how many other pages each block was seen, by the rules of stores."""
        rows = self.index.sightings(self.index.find(np.frombuffer(facts.keys, "<u8")))
        long, near = np.frombuffer(facts.long, np.bool_), np.frombuffer(facts.near, "<u8")
        wanted = [place for place in rules.unsure(rows, own) if long[place]]
        found = self.index.find_near(near[wanted].tolist())
        alike = {
            place: [row for row in self.index.sightings(matches) if row]
            for place, matches in zip(wanted, found, strict=True)
            if len(matches)
        }
        return rules.count_pages(rows, alike, own, lengths, self.pages)

    # Notes are read here and written nowhere: what a page adds is in them since the first pass.
    def note(self, site: str, name: str) -> str | None:
        return self.notes.get(name)

    def set_note(self, site: str, name: str, text: str) -> None:
        """Nothing: a page must not change what the next one is told."""


def packed_site(rows: Rows, pages: int) -> bytes:
    return pages.to_bytes(_HEADER, "little") + telling(rows).tobytes()


def own_page(facts: PageFacts, number: int, article: bool) -> Own:
    """The page itself, as its blocks were counted."""
    keys = rules.unpack_keys(rules.pack_keys(np.frombuffer(facts.keys, "<u8").tolist()))
    return Own(short_number(number), dict.fromkeys(keys, article))
