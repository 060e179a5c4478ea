"""Rows of a site's blocks in memory, and the fingerprints of those that the sorted tables may not have yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.native import compiled

Ints = NDArray[np.int64]
Row = tuple[int, int, int, int, int, int, int]
"""Pages with an article, others, the first and the last, sections, their squares, when it was last seen."""


class RowsInPython:
    """Keys and fingerprints are as SQLite has them, with a sign.

    A row is of a key that was asked for; None where the site does not have it. Rows are plain tuples of numbers:
    Python's garbage collector stops looking at them.
    """

    def __init__(self) -> None:
        self._rows: dict[int, Row | None] = {}
        self._sampled: set[int] = set()
        self._new: dict[int, int | None] = {}
        self._changed: set[int] = set()
        self._prints: list[tuple[int, int]] = []
        self._bands: dict[int, list[int]] = defaultdict(list)
        self._written = 0

    def __len__(self) -> int:
        return len(self._rows)

    def missing(self, keys: Iterable[int]) -> list[int]:
        """Which of the keys were never asked for."""
        return [key for key in keys if key not in self._rows]

    def absent(self, keys: Iterable[int]) -> None:
        """The site does not have these, which were missing."""
        self._rows.update(dict.fromkeys(keys))

    def put(self, rows: Iterable[Sequence[int]]) -> None:
        """Rows of the sorted table: the key, what a ``Row`` has, and whether there is a sample."""
        for key, *row, sampled in rows:
            self._rows[key] = (row[0], row[1], row[2], row[3], row[4], row[5], row[6])
            if sampled:
                self._sampled.add(key)

    def sightings(self, keys: Iterable[int], make: Callable[[Any], Any]) -> list[Any]:
        """For each key None where the site does not have it, else what ``make`` makes of key and row."""
        rows = self._rows
        return [make((key, *row[:6])) if (row := rows.get(key)) is not None else None for key in keys]

    def parted(self, keys: Iterable[int]) -> tuple[list[int], list[int]]:
        """The keys that the site has, and the others."""
        known, new = list[int](), list[int]()
        for key in keys:
            (new if self._rows.get(key) is None else known).append(key)
        return known, new

    def unsampled(self, keys: Iterable[int]) -> list[int]:
        return [key for key in keys if key not in self._sampled]

    def has_samples(self, keys: Iterable[int]) -> None:
        self._sampled.update(keys)

    def long_ago(self, keys: Iterable[int], before: int) -> list[int]:
        """Which of these blocks were last seen before a moment."""
        return [key for key in keys if (row := self._rows.get(key)) is not None and row[6] < before]

    def add_new(
        self, page: int, moment: int, article: bool, keys: Sequence[int], nears: Sequence[int], sections: Sequence[int]
    ) -> None:
        """Blocks that one page has, those with a fingerprint first."""
        for key, section in zip(keys, sections, strict=True):
            self._rows[key] = (int(article), int(not article), page, page, section, section * section, moment)
        self._new.update(zip_longest(keys, nears))
        for key, near in zip(keys, nears, strict=False):
            for band in bands_of(near):
                self._bands[band].append(len(self._prints))
            self._prints.append((near, key))

    def count(
        self, keys: Sequence[int], sections: Sequence[int], page: int, moment: int, article: bool, most: int
    ) -> None:
        """Blocks that one more page has; counts stop at ``most``, and sections with them."""
        for key, section in zip(keys, sections, strict=True):
            row = self._rows.get(key)
            if row is None:
                continue
            articles, others, first, _, total, squares, seen = row
            counted = 0 if articles >= most else section
            counts = (min(articles + article, most), min(others + 1 - article, most))
            sums = (total + counted, squares + counted * counted)
            self._change(key, (*counts, first, page, *sums, max(seen, moment)))

    def move(self, keys: Sequence[int], sections: Sequence[int], article: bool) -> None:
        """Blocks of a page that was counted as one of another kind, and is an article now, or none."""
        step = 1 if article else -1
        for key, section in zip(keys, sections, strict=True):
            row = self._rows.get(key)
            if row is None:
                continue
            articles, others, first, last, total, squares, seen = row
            counts = (max(0, articles + step), max(0, others - step))
            sums = (max(0, total + step * section), max(0, squares + step * section * section))
            self._change(key, (*counts, first, last, *sums, seen))

    def seen_again(self, keys: Iterable[int], moment: int) -> None:
        for key in keys:
            row = self._rows.get(key)
            if row is not None:
                self._change(key, (*row[:6], moment))

    def _change(self, key: int, row: Row) -> None:
        self._rows[key] = row
        if key not in self._new:
            self._changed.add(key)

    def near_pairs(self, nears: Sequence[int], distance: int) -> list[tuple[int, int]]:
        """Places among ``nears``, and keys of blocks whose fingerprints differ in so many bits or fewer, up to three.

        >>> rows = RowsInPython()
        >>> rows.add_new(1, 0, True, [5, 6], [0x1111_2222_3333_4444, 0x1111_0000_0000_0000], [0, 0])
        >>> rows.near_pairs([0x1111_0000_0000_0003, -1], 3)
        [(0, 6)]
        """
        pairs = set[tuple[int, int]]()
        for place, near in enumerate(nears):
            for band in bands_of(near):
                for number in self._bands.get(band, ()):
                    other, key = self._prints[number]
                    if ((other ^ near) & BITS).bit_count() <= distance:
                        pairs.add((place, key))
        return sorted(pairs)

    def to_write(self, new: bool) -> Ints:
        """Rows that are new to the sorted tables, or others that changed: in columns, by keys.

        Key, fingerprint (of new ones; 0 where there is none), whether there is one, and what a ``Row`` has.
        """
        found = [
            (key, self._new.get(key) or 0, int(self._new.get(key) is not None), *row)
            for key in sorted(self._new if new else self._changed)
            if (row := self._rows[key]) is not None
        ]
        return np.array(found, dtype=np.int64).reshape(-1, COLUMNS).T

    def new_prints(self) -> Ints:
        """Fingerprints and keys that the sorted tables do not have, in columns."""
        return np.array(self._prints[self._written :], dtype=np.int64).reshape(-1, 2).T

    def settle(self, keep_prints: bool) -> None:
        """All is written; fingerprints stay where none are looked for in the sorted tables."""
        self._new.clear()
        self._changed.clear()
        if not keep_prints:
            self._prints.clear()
            self._bands.clear()
        self._written = len(self._prints)


COLUMNS = 10
BITS = (1 << 64) - 1

_part = compiled("site_rows")
Rows = RowsInPython if _part is None else _part.Rows
LARGER = 1 if _part is None else 4
"""How many times as many rows the compiled twin has in the same memory."""


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


def in_bands(prints: Ints, site: int) -> tuple[list[int], list[int], list[int]]:
    """Band with a site's bits, fingerprint and key of each band of some fingerprints, by bands.

    >>> bands, nears, keys = in_bands(np.array([[5, 3], [8, 9]]), 1 << 20)
    >>> [band - (1 << 20) for band in bands[:4]], nears[:4], keys[:4]
    ([3, 5, 65536, 65536], [3, 5, 5, 3], [9, 8, 8, 9])
    """
    nears, keys = prints
    bands = np.concatenate([(nears >> 16 * band & 0xFFFF) + (band << 16) for band in range(4)])
    order = np.argsort(bands, kind="stable")
    places = order % max(len(nears), 1)
    return (bands[order] + site).tolist(), nears[places].tolist(), keys[places].tolist()
