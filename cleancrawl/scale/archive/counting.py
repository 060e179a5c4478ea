"""Blocks of a site and the pages that have them, as counts that can be added up in any order.

Rows are one block of one site each: on how many pages with an article it is and on how many others, the least and the
greatest number of a page that has it, and sums over the sections of those with an article. Sums, least and greatest
values do not depend on how pages were divided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.stores.memory.block_index import BlockIndex
from cleancrawl.stores.protocol import Limits

ROW = np.dtype(
    [
        *(("key", "<u8"), ("near", "<u8"), ("long", "?")),
        *(("articles", "<u4"), ("others", "<u4"), ("first", "<u4"), ("last", "<u4")),
        *(("sections", "<u4"), ("squares", "<u8")),
    ]
)
BLOCKS_PER_SITE = Limits().blocks_per_site
"""As in a store; above it the rarest go, all that are as rare."""
_AT_ONCE = 10_000
_PLACE = 40
"""Bits for the place of a row."""
PAGES_BYTES = 8
"""Of the number of a site's pages, before its packed blocks."""

Rows = NDArray[Any]
Keys = NDArray[np.uint64]
Ints = NDArray[np.int64]


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
    if article:
        rows["sections"] = np.frombuffer(facts.sections, "<u2")[places]
        rows["squares"] = rows["sections"].astype("<u8") ** 2
    return rows


class Groups(NamedTuple):
    """Rows with one key are a group; the groups are in the order of their keys."""

    keys: Keys
    """The key of each."""
    one: Ints
    """The place of one row of each."""
    several: Ints
    """Groups of more rows than one …"""
    members: Ints
    """… and the places of their rows, group by group …"""
    owner: Ints
    """… and to which of these groups each of them belongs."""

    @classmethod
    def of(cls, keys: Keys) -> Groups:
        # Not a stable sort, which takes five times as long: most rows are alone, and the others may be sorted again.
        order = np.argsort(keys)
        ordered = keys[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        sizes = np.diff(starts, append=len(keys))
        several = np.flatnonzero(sizes > 1)
        sizes = sizes[several]
        owner = np.repeat(np.arange(len(several)), sizes)
        members = order[np.repeat(starts[several] - np.cumsum(sizes) + sizes, sizes) + np.arange(len(owner))]
        return cls(ordered[starts], order[starts], several, members, owner)


def combined(parts: Sequence[Rows]) -> Rows:
    """Rows of several parts as one row per block."""
    rows = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, ROW), *parts])
    if not len(rows):
        return rows
    # In whatever order those of one block are: sums, least and greatest values are the same.
    groups = Groups.of(np.ascontiguousarray(rows["key"]))
    found: Rows = rows[groups.one]
    # Most blocks have one row: only the others are added up.
    if len(groups.several):
        _add_up(found, groups.several, rows[groups.members], _starts(groups.owner))
    return found


def _starts(owner: Ints) -> Ints:
    return np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])


def _add_up(found: Rows, several: Ints, some: Rows | dict[str, Any], firsts: Ints) -> None:
    """Sums, least and greatest values of the rows of some groups, which begin at ``firsts``."""
    for name in ("articles", "others", "sections", "squares"):
        found[name][several] = np.add.reduceat(some[name], firsts)
    for name, reduction in (("first", np.minimum), ("last", np.maximum), ("near", np.maximum)):
        found[name][several] = reduction.reduceat(some[name], firsts)
    found["long"][several] = np.logical_or.reduceat(some["long"], firsts)


def rows_of_pages(pages: Sequence[PageFacts]) -> Rows:
    """``combined`` of the ``page_rows`` of pages that are distinct ones, all at once."""
    keys = np.frombuffer(b"".join([page.keys for page in pages]), "<u8")
    if not len(keys):
        return np.zeros(0, ROW)
    page_of = np.repeat(np.arange(len(pages)), [len(page.long) for page in pages])
    near = np.frombuffer(b"".join([page.near for page in pages]), "<u8")
    long = np.frombuffer(b"".join([page.long for page in pages]), np.bool_)
    sections = np.frombuffer(b"".join([page.sections for page in pages]), "<u2")
    article = np.array([page.article for page in pages], dtype=np.bool_)
    number = np.array([short_number(page.number) for page in pages], dtype="<u4")

    def columns(places: Ints) -> dict[str, Any]:
        page = page_of[places]
        is_article, page_number = article[page], number[page]
        section = sections[places] * is_article.astype("<u4")
        return {
            "near": near[places],
            "long": long[places],
            "articles": is_article.astype("<u4"),
            "others": (~is_article).astype("<u4"),
            "first": page_number,
            "last": page_number,
            "sections": section,
            "squares": section.astype("<u8") ** 2,
        }

    groups = Groups.of(keys)
    found = np.zeros(len(groups.keys), ROW)
    found["key"] = groups.keys
    for name, column in columns(groups.one).items():
        found[name] = column
    if len(groups.several):
        # Of blocks that a page has twice the first counts.
        both = np.sort(groups.owner << _PLACE | groups.members)
        owner, members = both >> _PLACE, both & ((1 << _PLACE) - 1)
        page = page_of[members]
        once = np.r_[True, (owner[1:] != owner[:-1]) | (page[1:] != page[:-1])]
        _add_up(found, groups.several, columns(members[once]), _starts(owner[once]))
    return found


def union_rows(members: Sequence[PageFacts], number: int) -> Rows:
    """The rows of pages that are copies of one another: one page, with the blocks of all of them.

    It is an article where one of them is. The section of a block is the greatest of theirs: mostly they have one.
    """
    article = any(member.article for member in members)
    parts = [page_rows(member, number, article) for member in members]
    rows = combined(parts)
    rows["articles"], rows["others"] = int(article), int(not article)
    rows["sections"] = 0
    for part in parts:
        places = np.searchsorted(rows["key"], part["key"])
        rows["sections"][places] = np.maximum(rows["sections"][places], part["sections"])
    rows["squares"] = rows["sections"].astype("<u8") ** 2
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
            query, _ = index.near_pairs(rows["near"][chunk])
            several[chunk] = np.bincount(query, minlength=len(chunk)) > 1
    kept: Rows = rows[several]
    return kept


def packed_site(rows: Rows, pages: int) -> bytes:
    return pages.to_bytes(PAGES_BYTES, "little") + telling(rows).tobytes()
