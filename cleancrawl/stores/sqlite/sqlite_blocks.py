"""The blocks of sites in a SQLite store: looked up, counted page by page, merged for many pages at once."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.page_rules import Sighting
from cleancrawl.stores.protocol import Limits, Prints
from cleancrawl.stores.sqlite.arrivals import Arrival, SiteTable
from cleancrawl.stores.sqlite.site_rows import LARGER, in_bands
from cleancrawl.stores.sqlite.sqlite_file import BITS, SqliteFile, all_signed, band_keys, unsigned

ARRIVALS = 64
"""Pages of a site that are merged at once: of twice as many a merge costs hardly less per page."""
READ_BACK = 8
"""So many that had to be read from the file are merged sooner: others would have to read them, too."""
REMEMBERED = 50_000 * LARGER
"""Rows of all sites that are kept in memory, some 30 MB; the sites not asked for for longest make room."""


class SiteRow(NamedTuple):
    """What a look-up needs of a site's own row; all are 0 where the site is not known."""

    number: int
    pages: int
    arrived: int
    merged: int


NO_SITE = SiteRow(0, 0, 0, 0)


class SqliteBlocks(SqliteFile):
    """``record`` adds an arrival; whoever changes the sorted tables merges first, and gives ``merged`` a new value."""

    def __init__(self, path: str | Path, limits: Limits | None = None) -> None:
        self._tables: OrderedDict[int, SiteTable] = OrderedDict()
        super().__init__(path, limits)

    def _rolled_back(self) -> None:
        self._tables.clear()  # of an arrival that is none

    def _site(self, site: str) -> SiteRow:
        row = self._db.execute(
            "SELECT id, pages, arrived, merged FROM sites WHERE name = ? AND fingerprints = ?",
            (site, FINGERPRINT_VERSION),
        ).fetchone()
        return SiteRow._make(row) if row else NO_SITE

    def _table(self, site: SiteRow) -> SiteTable:
        """Inside a transaction: the site's table, up to date."""
        table = self._tables.get(site.number)
        if table is None or table.merged != site.merged or len(table.rows) > REMEMBERED:
            merged = self._db.execute("SELECT 1 FROM blocks WHERE site = ? LIMIT 1", (site.number,)).fetchone()
            table = self._tables[site.number] = SiteTable(site.merged, site.merged, whole=merged is None)
        self._tables.move_to_end(site.number)
        if table.arrived < site.arrived:
            self._read_arrivals(site.number, table)
        return table

    def _knows_all(self, site: SiteRow) -> bool:
        """Whether nothing has to be read of a site's blocks: what is in memory is all, and up to date."""
        table = self._tables.get(site.number)
        if table is None or (table.merged, table.arrived) != (site.merged, site.arrived):
            return False
        return table.whole and len(table.rows) <= REMEMBERED

    def _read_arrivals(self, site: int, table: SiteTable) -> None:
        rows = self._db.execute(
            "SELECT page, moment, article, counted, samples FROM arrivals WHERE site = ? AND number > ?"
            " ORDER BY number",
            (site, table.arrived),
        )
        for page, moment, article, counted, samples in rows.fetchall():
            arrival = Arrival.unpacked(page, moment, bool(article), counted, dict(json.loads(samples)))
            self._look_up(site, table, [*arrival.new, *arrival.known, *arrival.moved, *arrival.again])
            table.add(arrival, self.limits.sightings)
            table.read_back += 1

    def _look_up(self, site: int, table: SiteTable, keys: Sequence[int]) -> None:
        """See to it that the table has rows for these keys."""
        missing = table.missing(keys)
        if not missing:
            return
        self._make_room(table)
        found = self._db.execute(
            "SELECT b.key, articles, others, first, last, sections, squares, seen, sample IS NOT NULL"
            " FROM json_each(?) q CROSS JOIN blocks b ON site = ? AND b.key = q.value",
            (json.dumps(missing), site),
        )
        table.rows.absent(missing)
        table.rows.put(found)

    def _make_room(self, table: SiteTable) -> None:
        while len(self._tables) > 1 and self._remembered() > REMEMBERED:
            number, oldest = next(iter(self._tables.items()))
            if oldest is table:
                return
            del self._tables[number]

    def _remembered(self) -> int:
        return sum(len(table.rows) for table in self._tables.values())

    def _near(self, site: int, table: SiteTable, prints: Prints, indices: Sequence[int]) -> dict[int, list[Sighting]]:
        """All blocks within reach of these: of four bands of sixteen bits at least one is equal then."""
        wanted = [(i, near) for i, near in zip(indices, prints.near(indices), strict=True) if near is not None]
        if not wanted:
            return {}
        own = all_signed([near for _, near in wanted])
        pairs = set(table.rows.near_pairs(own, rules.NEAR_DISTANCE))
        if not table.whole:
            pairs.update(self._merged_pairs(site, [near for _, near in wanted]))
        ordered = sorted(pairs)
        keys = [key for _, key in ordered]
        self._look_up(site, table, keys)
        result: dict[int, list[Sighting]] = {}
        for (place, _), row in zip(ordered, table.sightings(keys), strict=True):
            if row is not None:
                result.setdefault(wanted[place][0], []).append(row)
        return result

    def _merged_pairs(self, site: int, nears: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Places among these fingerprints, and the keys of blocks within reach of them in the sorted tables."""
        candidates = self._db.execute(
            "SELECT q.key, b.near, b.key FROM json_each(?) q CROSS JOIN bands b ON b.band = q.value",
            (json.dumps([band for near in nears for band in band_keys(site, near)]),),
        )
        for place, near, key in candidates:
            # Written out: several hundred candidates for a page at the largest size of a site.
            if ((near ^ nears[place >> 2]) & BITS).bit_count() <= rules.NEAR_DISTANCE:
                yield place >> 2, key

    def _arrive(self, site: SiteRow, arrival: Arrival, pages: int) -> None:
        """Inside a transaction: count an arrival, and so many distinct pages that are new with it."""
        number, table = site.number, self._tables[site.number]
        self._db.execute(
            "INSERT INTO arrivals (site, number, page, moment, article, counted, samples) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, site.arrived + 1, *arrival[:3], arrival.packed(), json.dumps(list(arrival.samples.items()))),
        )
        self._make_room(table)
        table.add(arrival, self.limits.sightings)
        total = self._db.execute(
            "UPDATE sites SET pages = pages + ?, blocks = blocks + ?, arrived = arrived + 1 WHERE id = ?"
            " RETURNING blocks",
            (pages, len(arrival.new), number),
        ).fetchone()[0]
        too_many = total > self.limits.blocks_per_site
        waiting = table.arrived - table.merged
        if too_many or waiting >= ARRIVALS or table.read_back >= READ_BACK or len(table.rows) > REMEMBERED // 2:
            self._merge(number)
        if too_many:
            self._drop_rarest(number, total)

    def _merge_all(self) -> None:
        """Inside a transaction: merge what has arrived of any site."""
        for (number,) in self._db.execute("SELECT DISTINCT site FROM arrivals").fetchall():
            self._merge(number)

    def _merge(self, number: int) -> None:
        """Inside a transaction: bring what has arrived of a site into the sorted tables."""
        found = self._db.execute("SELECT id, pages, arrived, merged FROM sites WHERE id = ?", (number,)).fetchone()
        table = self._table(SiteRow._make(found))
        self._write_changed(number, table)
        self._write_new(number, table)
        self._db.execute("DELETE FROM arrivals WHERE site = ?", (number,))
        merged = self._has_merged(number)
        if self._remembered() + len(table.rows) <= REMEMBERED // 2:
            # What was known stays known. Where memory is scarce, others need it more: they would be read back.
            table.settle(merged)
            self._tables[number] = table

    def _has_merged(self, number: int) -> int:
        """All tables of the site that any process has in memory are of the past; returns what a new one begins with."""
        self._tables.pop(number, None)
        merged = self._db.execute(
            "UPDATE sites SET arrived = arrived + 1, merged = arrived + 1 WHERE id = ? RETURNING merged", (number,)
        ).fetchone()
        return int(merged[0])

    def _write_changed(self, number: int, table: SiteTable) -> None:
        keys, _, _, *columns = table.rows.to_write(new=False).tolist()
        articles, others, _, last, sections, squares, seen = columns
        self._db.executemany(
            "UPDATE blocks SET articles = ?, others = ?, last = ?, sections = ?, squares = ?, seen = ?,"
            " sample = coalesce(sample, ?) WHERE site = ? AND key = ?",
            zip(
                *(articles, others, last, sections, squares, seen, map(table.samples.get, keys)),
                *(repeat(number), keys),
                strict=False,
            ),
        )

    def _write_new(self, number: int, table: SiteTable) -> None:
        """Most of them are on one page: of these only what differs is bound, and no NULL, which takes the longest."""
        rows = table.rows.to_write(new=True)
        keys, _, long, articles, others, first, last, sections, squares, _ = rows
        once = (articles + others == 1) & (first == last) & (squares == sections * sections)
        once &= ~np.isin(keys, np.fromiter(table.samples, np.int64))
        insert = (
            "INSERT INTO blocks (site, key, articles, others, first, last, sections, squares, seen, near)"
            " VALUES (?1, ?2, ?3, 1 - ?3, ?4, ?4, ?5, ?5 * ?5, ?6, "
        )
        key, _, _, article, _, page, _, section, _, seen = rows[:, once & (long == 0)].tolist()
        self._db.executemany(f"{insert}NULL)", zip(repeat(number), key, article, page, section, seen, strict=False))
        key, prints, _, article, _, page, _, section, _, seen = rows[:, once & (long == 1)].tolist()
        self._db.executemany(
            f"{insert}?7)", zip(repeat(number), key, article, page, section, seen, prints, strict=False)
        )
        key, prints, is_long, *columns = rows[:, ~once].tolist()
        self._db.executemany(
            "INSERT INTO blocks (site, key, near, articles, others, first, last, sections, squares, seen, sample)"
            " VALUES (?, ?, iif(?, ?, NULL), ?, ?, ?, ?, ?, ?, ?, ?)",
            zip(repeat(number), key, is_long, prints, *columns, map(table.samples.get, key), strict=False),
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO bands (band, near, key) VALUES (?, ?, ?)",
            zip(*in_bands(table.rows.new_prints(), number << 18), strict=True),
        )

    def _drop_rarest(self, site: int, total: int) -> None:
        rarest = "key IN (SELECT key FROM blocks WHERE site = ? ORDER BY articles + others, seen, key LIMIT ?)"
        self._drop_blocks(site, rarest, (site, rules.surplus(total, self.limits)))

    def _drop_blocks(self, site: int, condition: str, values: tuple[Any, ...]) -> int:
        """Inside a transaction, and after a merge."""
        gone = self._db.execute(
            f"DELETE FROM blocks WHERE site = ? AND {condition} RETURNING key, near", (site, *values)
        ).fetchall()
        self._db.executemany(
            "DELETE FROM bands WHERE band = ? AND near = ? AND key = ?",
            [(band, near, key) for key, near in gone if near is not None for band in band_keys(site, unsigned(near))],
        )
        self._db.execute("UPDATE sites SET blocks = blocks - ? WHERE id = ?", (len(gone), site))
        self._has_merged(site)
        return len(gone)
