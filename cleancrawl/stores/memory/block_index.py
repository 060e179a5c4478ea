"""The blocks of one site in a few NumPy columns: about seventy bytes each, looked up for a whole page at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cleancrawl.stores.page_rules import NEAR_DISTANCE, Sighting

BANDS = 4
BAND_BITS = 16
SMALLEST = 256
COLUMNS = ("key", "near", "long", "articles", "others", "first", "last", "seen", "sections", "squares")
BULK = 1_000
"""From so many new blocks at once the chains are made anew instead of block by block."""

Rows = NDArray[np.int64]
Keys = NDArray[np.uint64]


class BlockIndex:
    """Keys in an open-addressing table; fingerprints in one chain per band and band value (shared while small)."""

    def __init__(self) -> None:
        self.size = 0
        self.key = np.zeros(0, dtype=np.uint64)
        self.near = np.zeros(0, dtype=np.uint64)
        self.long = np.zeros(0, dtype=np.bool_)
        self.articles = np.zeros(0, dtype=np.uint32)
        self.others = np.zeros(0, dtype=np.uint32)
        self.first = np.zeros(0, dtype=np.uint32)
        self.last = np.zeros(0, dtype=np.uint32)
        self.seen = np.zeros(0, dtype=np.uint32)
        self.sections = np.zeros(0, dtype=np.uint32)
        self.squares = np.zeros(0, dtype=np.uint64)
        self._resize(SMALLEST)

    @property
    def nbytes(self) -> int:
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def find(self, keys: Sequence[int] | Keys) -> Rows:
        """The row of each key, −1 where there is none."""
        wanted = np.asarray(keys, dtype=np.uint64)
        slot = (wanted & self._mask).astype(np.int64)
        rows = self._slots[slot].astype(np.int64)
        pending = np.flatnonzero((rows >= 0) & (self.key[rows] != wanted))
        while pending.size:
            slot[pending] = (slot[pending] + 1) & int(self._mask)
            found = self._slots[slot[pending]].astype(np.int64)
            rows[pending] = found
            pending = pending[(found >= 0) & (self.key[found] != wanted[pending])]
        return rows

    def sightings(self, rows: Rows) -> list[Sighting | None]:
        columns = (self.key, self.articles, self.others, self.first, self.last, self.sections, self.squares)
        values = zip(*(column[rows].tolist() for column in columns), strict=True)
        return [Sighting._make(value) if row >= 0 else None for row, value in zip(rows.tolist(), values, strict=True)]

    def find_near(self, prints: Sequence[int]) -> list[Rows]:
        """For each fingerprint the rows at most three bits away."""
        if not prints:
            return []
        query, rows = self.near_pairs(np.asarray(prints, dtype=np.uint64))
        return np.split(rows, np.searchsorted(query, np.arange(1, len(prints))))

    def near_pairs(self, prints: Keys) -> tuple[Rows, Rows]:
        """Numbers of fingerprints and of rows at most three bits away: of four bands at least one is equal then.

        Each pair once, in the order of the fingerprints, then of the rows.
        """
        wanted = np.repeat(prints, BANDS)
        band = np.tile(np.arange(BANDS), len(prints))
        query = np.repeat(np.arange(len(prints)), BANDS)
        rows = self._heads[band, self._buckets(wanted, band)].astype(np.int64)
        pairs = []
        while True:
            alive = np.flatnonzero(rows >= 0)
            if not alive.size:
                break
            rows, band, query, wanted = rows[alive], band[alive], query[alive], wanted[alive]
            close = np.bitwise_count(self.near[rows] ^ wanted) <= NEAR_DISTANCE
            if close.any():
                pairs.append(query[close] << 40 | rows[close])
            rows = self._next[band, rows].astype(np.int64)
        if not pairs:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        # As ``np.unique``, which looks each up in a table and takes far longer.
        found = np.sort(np.concatenate(pairs))
        found = found[np.r_[True, found[1:] != found[:-1]]]
        return found >> 40, found & ((1 << 40) - 1)

    def add(
        self,
        keys: Sequence[int],
        prints: Sequence[int | None],
        article: bool,
        page: int,
        now: int,
        sections: Sequence[int] = (),
    ) -> None:
        """New keys, none of which is there already, seen on one page."""
        near = np.asarray([value or 0 for value in prints], dtype=np.uint64)
        long = np.asarray([value is not None for value in prints], dtype=np.bool_)
        start = self.size
        self.add_columns(np.asarray(keys, dtype=np.uint64), near, long, article, page, now)
        if sections and article:
            self.count_sections(np.arange(start, self.size), sections)

    def count_sections(self, rows: Rows, sections: Sequence[int] | Rows, *, back: bool = False) -> None:
        """Count the section of an article for each of its blocks; or take it back."""
        number = np.asarray(sections, dtype=np.int64) * (-1 if back else 1)
        for column, change in ((self.sections, number), (self.squares, number * np.abs(number))):
            # Below 0 where the page was counted without its section.
            column[rows] = np.maximum(column[rows].astype(np.int64) + change, 0)

    def add_columns(self, keys: Keys, near: Keys, long: NDArray[np.bool_], article: bool, page: int, now: int) -> None:
        """The same for arrays; ``long`` tells which blocks have a fingerprint."""
        start, end = self.size, self.size + len(keys)
        grows = end > len(self.key)
        if grows:
            self._resize(max(end, 2 * len(self.key)))
        new = slice(start, end)
        self.size = end
        self.key[new], self.near[new], self.long[new] = keys, near, long
        self.articles[new], self.others[new] = int(article), int(not article)
        self.first[new] = self.last[new] = page
        self.seen[new] = now
        self.sections[new] = self.squares[new] = 0
        if grows or len(keys) >= BULK:
            self._file_all()
        else:
            self._file(np.arange(start, end, dtype=np.int64))

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Forget all rows but the chosen ones."""
        kept = np.flatnonzero(chosen[: self.size])
        self.size = len(kept)
        for name in COLUMNS:
            column = getattr(self, name)
            column[: self.size] = column[kept]
        self._file_all()

    def rarest(self, count: int) -> Rows:
        """The rows seen on fewest pages, of these the ones not seen for longest."""
        total = self.articles[: self.size] + self.others[: self.size]
        order: Rows = np.lexsort((self.key[: self.size], self.seen[: self.size], total))[:count]
        return order

    def _resize(self, capacity: int) -> None:
        for name in COLUMNS:
            column = getattr(self, name)
            grown = np.zeros(capacity, dtype=column.dtype)
            grown[: self.size] = column[: self.size]
            setattr(self, name, grown)
        slots = 1 << (2 * capacity - 1).bit_length()
        self._mask = np.uint64(slots - 1)
        self._slots = np.empty(slots, dtype=np.int32)
        buckets = min(1 << BAND_BITS, 1 << (capacity - 1).bit_length())
        self._heads = np.empty((BANDS, buckets), dtype=np.int32)
        self._next = np.empty((BANDS, capacity), dtype=np.int32)
        self._file_all()

    def _buckets(self, prints: Keys, band: Rows | int) -> Rows:
        shift = np.asarray(band, dtype=np.uint64) * np.uint64(BAND_BITS)
        return (prints >> shift & np.uint64(self._heads.shape[1] - 1)).astype(np.int64)

    def _file_all(self) -> None:
        self._slots.fill(-1)
        self._heads.fill(-1)
        self._next.fill(-1)
        self._place(np.arange(self.size, dtype=np.int64))
        rows = np.flatnonzero(self.long[: self.size])
        for band in range(BANDS):
            bucket = self._buckets(self.near[rows], band)
            order = np.argsort(bucket, kind="stable")
            bucket, sorted_rows = bucket[order], rows[order]
            same = bucket[1:] == bucket[:-1]
            self._next[band, sorted_rows[1:][same]] = sorted_rows[:-1][same]
            self._heads[band, bucket] = sorted_rows

    def _file(self, rows: Rows) -> None:
        self._place(rows)
        long = rows[self.long[rows]]
        for band in range(BANDS):
            for row, bucket in zip(long.tolist(), self._buckets(self.near[long], band).tolist(), strict=True):
                self._next[band, row] = self._heads[band, bucket]
                self._heads[band, bucket] = row

    def _place(self, rows: Rows) -> None:
        slot = (self.key[rows] & self._mask).astype(np.int64)
        while rows.size:
            free = self._slots[slot] < 0
            self._slots[slot[free]] = rows[free]
            # Of several rows that wanted one free slot the last has it; the others go on.
            waiting = self._slots[slot] != rows
            rows, slot = rows[waiting], (slot[waiting] + 1) & int(self._mask)
