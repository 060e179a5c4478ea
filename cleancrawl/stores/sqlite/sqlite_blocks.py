"""The blocks of sites in a SQLite store: looked up, counted page by page, merged for many pages at once."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.page_rules import Sighting
from cleancrawl.stores.protocol import Limits, Prints
from cleancrawl.stores.sqlite.arrivals import Arrival, SiteTable
from cleancrawl.stores.sqlite.sqlite_file import BITS, SqliteFile, band_keys, unsigned

ARRIVALS = 64
"""Pages of a site that are merged at once: of twice as many a merge costs hardly less per page."""
READ_BACK = 8
"""So many that had to be read from the file are merged sooner: others would have to read them, too."""
REMEMBERED = 50_000
"""Rows of all sites that are kept in memory, half a kilobyte each; the sites not asked for for longest make room."""


class SiteRow(NamedTuple):
    """What a look-up needs of a site's own row; all are 0 where the site is not known."""

    number: int
    pages: int
    arrived: int
    merged: int


NO_SITE = SiteRow(0, 0, 0, 0)
NOTHING = Sighting(0, 0, 0, 0, 0)


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
            table = self._tables[site.number] = SiteTable(site.merged, site.merged)
        self._tables.move_to_end(site.number)
        if table.arrived < site.arrived:
            self._read_arrivals(site.number, table)
        return table

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

    def _look_up(self, site: int, table: SiteTable, keys: Iterable[int]) -> None:
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
        table.rows.update(dict.fromkeys(missing))
        for *row, seen, sampled in found:
            table.put(Sighting._make(row), seen, sampled=bool(sampled))

    def _make_room(self, table: SiteTable) -> None:
        while len(self._tables) > 1 and sum(len(kept.rows) for kept in self._tables.values()) > REMEMBERED:
            number, oldest = next(iter(self._tables.items()))
            if oldest is table:
                return
            del self._tables[number]

    def _near(self, site: int, table: SiteTable, prints: Prints, indices: Sequence[int]) -> dict[int, list[Sighting]]:
        """All blocks within reach of these: of four bands of sixteen bits at least one is equal then."""
        wanted = {i: near for i, near in zip(indices, prints.near(indices), strict=True) if near is not None}
        asked = [(index, near, band) for index, near in wanted.items() for band in band_keys(site, near)]
        if not asked:
            return {}
        candidates = self._db.execute(
            "SELECT q.key, b.near, b.key FROM json_each(?) q CROSS JOIN bands b ON b.band = q.value",
            (json.dumps([band for _, _, band in asked]),),
        )
        pairs = set()
        for place, near, key in candidates:
            index, own, _ = asked[place]
            # Written out: several hundred candidates for a page at the largest size of a site.
            if ((near ^ own) & BITS).bit_count() <= rules.NEAR_DISTANCE:
                pairs.add((index, key))
        for index, own in wanted.items():
            for key, near in table.bands.candidates(own):
                if ((near ^ own) & BITS).bit_count() <= rules.NEAR_DISTANCE:
                    pairs.add((index, key))
        self._look_up(site, table, {key for _, key in pairs})
        result: dict[int, list[Sighting]] = {}
        for index, key in sorted(pairs):
            if (row := table.row(key)) is not None:
                result.setdefault(index, []).append(row)
        return result

    def _arrive(self, site: SiteRow, arrival: Arrival) -> None:
        """Inside a transaction."""
        number, table = site.number, self._tables[site.number]
        self._db.execute(
            "INSERT INTO arrivals (site, number, page, moment, article, counted, samples) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, site.arrived + 1, *arrival[:3], arrival.packed(), json.dumps(list(arrival.samples.items()))),
        )
        table.add(arrival, self.limits.sightings)
        total = self._db.execute(
            "UPDATE sites SET blocks = blocks + ?, arrived = arrived + 1 WHERE id = ? RETURNING blocks",
            (len(arrival.new), number),
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
        self._has_merged(number)

    def _has_merged(self, number: int) -> None:
        """All tables of the site that any process has in memory are of the past."""
        self._tables.pop(number, None)
        self._db.execute("UPDATE sites SET arrived = arrived + 1, merged = arrived + 1 WHERE id = ?", (number,))

    # Row by row, from generators: of lists of thousands of tuples the garbage collector takes more than SQLite saves.
    def _write_changed(self, number: int, table: SiteTable) -> None:
        keys = sorted(table.changed)  # neighbours in the tree one after another
        self._db.executemany(
            "UPDATE blocks SET articles = ?, others = ?, last = ?, sections = ?, squares = ?, seen = ?,"
            " sample = coalesce(sample, ?) WHERE site = ? AND key = ?",
            (
                (*row[1:3], *row[4:], table.last_seen(key), table.samples.get(key), number, key)
                for key, row in ((key, table.row(key) or NOTHING) for key in keys)
            ),
        )

    def _write_new(self, number: int, table: SiteTable) -> None:
        """Most of them are on one page: of these only what differs is bound, and no NULL, which takes the longest."""
        short, long, others = list[int](), list[int](), list[int]()
        for key in sorted(table.new):
            near = table.new[key]
            (others if key not in table.once else short if near is None else long).append(key)
        once = (
            "(site, key, articles, others, first, last, sections, squares, seen, near)"
            " VALUES (?1, ?2, ?3, 1 - ?3, ?4, ?4, ?5, ?5 * ?5, ?6, "
        )
        self._db.executemany(f"INSERT INTO blocks {once}NULL)", table.rows_of_once(number, short))
        nears = map(table.new.__getitem__, long)
        rows = ((*row, near) for row, near in zip(table.rows_of_once(number, long), nears, strict=True))
        self._db.executemany(f"INSERT INTO blocks {once}?7)", rows)
        self._db.executemany(
            "INSERT INTO blocks (key, articles, others, first, last, sections, squares, site, near, seen, sample)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (*(table.row(key) or NOTHING), number, table.new[key], table.last_seen(key), table.samples.get(key))
                for key in others
            ),
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO bands (band, near, key) VALUES (?, ?, ?)", table.bands.in_order(number << 18)
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
