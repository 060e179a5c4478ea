"""Looking after a SQLite store: what is in it, bounds, forgetting, moving it elsewhere."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.stores.dump_rows import DUMP_VERSION, ROW_FIELDS, as_base64, check_row
from cleancrawl.stores.protocol import BlockInfo, SiteInfo, StoreInfo
from cleancrawl.stores.sqlite.sqlite_blocks import SqliteBlocks
from cleancrawl.stores.sqlite.sqlite_file import band_keys, signed, unsigned
from cleancrawl.stores.sqlite.sqlite_schema import VERSION
from cleancrawl.stores.sqlite.sqlite_sites import SqliteSites

SELECTS = {
    "page": "SELECT d.id, s.name, s.fingerprints, article, content, keys"
    " FROM distinct_pages d JOIN sites s ON s.id = site",
    "block": "SELECT s.name, s.fingerprints, key, near, articles, others, first, last, seen, sample, sections,"
    " squares FROM blocks b JOIN sites s ON s.id = site",
    "url": "SELECT url, site, page, first_fetched, last_fetched, status, etag, last_modified, reason, content, visits,"
    " changes, version, misses FROM pages",
    "article": "SELECT cursor, url, site, version, previous, content, digest, recorded, article, kept, was"
    " FROM articles",
    "cursor": "SELECT name, cursor FROM cursors",
    "held": "SELECT url, site, since, response FROM held",
    "document": "SELECT url, site, recorded, data, keys FROM documents",
    "note": "SELECT site, name, note FROM notes",
    "listed": "SELECT name, site, due FROM listed",
    "run": "SELECT site, run, started, counts FROM runs",
}
UNSIGNED = {"key", "near", "content", "previous", "digest"}
BINARY = {("page", "keys"), ("article", "kept"), ("held", "response"), ("document", "data")}
JSON = {
    ("url", "changes"),
    ("article", "article"),
    ("article", "was"),
    ("listed", "site"),
    ("run", "counts"),
}


class SqliteCare(SqliteBlocks, SqliteSites):
    def info(self) -> StoreInfo:
        with self._reading() as connection:
            sites, pages, articles, blocks, held = (
                connection.execute(f"SELECT {what}").fetchone()[0]
                for what in (
                    "count(DISTINCT site) FROM pages",
                    "count(*) FROM pages",
                    "count(*) FROM articles WHERE article IS NOT NULL",
                    "coalesce(sum(blocks), 0) FROM sites",
                    "count(*) FROM held",
                )
            )
            size = self.path.stat().st_size
        url = f"sqlite:///{self.path}"
        return StoreInfo(url, VERSION, FINGERPRINT_VERSION, sites, pages, articles, blocks, held, size, self.limits)

    def sites(self) -> list[SiteInfo]:
        with self._errors():
            rows = self._db.execute(
                "SELECT p.site, coalesce(s.pages, 0), count(*),"
                " (SELECT count(*) FROM articles a WHERE a.site = p.site AND article IS NOT NULL),"
                " coalesce(s.blocks, 0), (SELECT count(*) FROM held h WHERE h.site = p.site), max(last_fetched)"
                " FROM pages p LEFT JOIN sites s ON s.name = p.site AND s.fingerprints = ? GROUP BY p.site",
                (FINGERPRINT_VERSION,),
            )
            return [SiteInfo(*row) for row in rows]

    def blocks(self, site: str, limit: int = 50) -> list[BlockInfo]:
        self.merge()
        with self._errors():
            rows = self._db.execute(
                "SELECT coalesce(sample, ''), articles + others, articles, b.seen"
                " FROM blocks b JOIN sites s ON s.id = b.site"
                " WHERE s.name = ? AND s.fingerprints = ? ORDER BY articles + others DESC, articles DESC, key LIMIT ?",
                (site, FINGERPRINT_VERSION, limit),
            )
            return [BlockInfo(*row) for row in rows]

    def merge(self) -> None:
        """Bring all that has arrived into the sorted tables; writes nothing where that is done."""
        with self._errors():
            waiting = self._db.execute("SELECT 1 FROM arrivals LIMIT 1").fetchone()
        if waiting:
            with self._writing():
                self._merge_all()

    def prune(self, before: float) -> int:
        with self._writing() as connection:
            self._merge_all()
            sites = [row[0] for row in connection.execute("SELECT id FROM sites")]
            return sum(self._drop_blocks(site, "seen < ?", (before,)) for site in sites)

    def forget(self, site: str) -> int:
        with self._writing() as connection:
            for (number,) in connection.execute("SELECT id FROM sites WHERE name = ?", (site,)).fetchall():
                connection.execute("DELETE FROM arrivals WHERE site = ?", (number,))
                self._drop_blocks(number, "1", ())
                connection.execute("DELETE FROM distinct_pages WHERE site = ?", (number,))
                connection.execute("UPDATE sites SET pages = 0, blocks = 0 WHERE id = ?", (number,))
            connection.execute(
                "DELETE FROM signatures WHERE document IN (SELECT id FROM documents WHERE site = ?)", (site,)
            )
            for table in ("documents", "articles", "held", "notes", "runs"):
                connection.execute(f"DELETE FROM {table} WHERE site = ?", (site,))
            return connection.execute("DELETE FROM pages WHERE site = ?", (site,)).rowcount

    def dump(self) -> Iterator[dict[str, Any]]:
        yield {"kind": "store", "version": DUMP_VERSION}
        for kind, select in SELECTS.items():
            if kind == "block":
                self.merge()
            names = ROW_FIELDS[kind]
            for row in self._rows(select):
                yield {"kind": kind} | {
                    name: _to_json(kind, name, value) for name, value in zip(names, row, strict=True)
                }

    def _rows(self, select: str) -> Iterator[tuple[Any, ...]]:
        """In parts: between two of them other threads have their turn, and whoever reads slowly holds up nobody."""
        with self._errors():
            cursor = self._db.execute(select)
        while True:
            with self._errors():
                part = cursor.fetchmany(1000)
            if not part:
                return
            yield from part

    def load(self, rows: Iterable[dict[str, Any]]) -> int:
        total = 0
        with self._writing():
            for kind, group in groupby(map(check_row, rows), key=itemgetter("kind")):
                while part := list(islice(group, 1000)):
                    getattr(self, f"_load_{kind}")(part)
                    total += len(part)
        return total

    def _load_store(self, rows: list[dict[str, Any]]) -> None:
        """The head of a dump; checked with every row."""

    def _load_page(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row["site"] = self._numbered(row)
            self._db.execute("UPDATE sites SET pages = pages + 1 WHERE id = ?", (row["site"],))
        self._insert("distinct_pages", rows, "id site article content keys")

    def _load_block(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row["site"] = self._numbered(row)
            self._db.execute("UPDATE sites SET blocks = blocks + 1 WHERE id = ?", (row["site"],))
        self._insert("blocks", rows, "site key near articles others first last seen sample sections squares")
        filed = [
            {"kind": "band", "band": band, "near": row["near"], "key": row["key"]}
            for row in rows
            if row["near"] is not None
            for band in band_keys(row["site"], row["near"])
        ]
        self._insert("bands", filed, "band near key")
        for number in {row["site"] for row in rows}:
            self._has_merged(number)

    def _load_url(self, rows: list[dict[str, Any]]) -> None:
        self._insert("pages", rows, " ".join(ROW_FIELDS["url"]))

    def _load_article(self, rows: list[dict[str, Any]]) -> None:
        self._insert("articles", rows, " ".join(ROW_FIELDS["article"]))

    def _load_cursor(self, rows: list[dict[str, Any]]) -> None:
        self._insert("cursors", rows, "name cursor")

    def _load_note(self, rows: list[dict[str, Any]]) -> None:
        self._insert("notes", rows, "site name note")

    def _load_listed(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row["due"] = None if row["site"]["paused"] else row["due"] or 0.0
        self._insert("listed", rows, "name site due")

    def _load_run(self, rows: list[dict[str, Any]]) -> None:
        self._insert("runs", rows, "site run started counts")

    def _load_held(self, rows: list[dict[str, Any]]) -> None:
        self._insert("held", rows, "url site since response")

    def _load_document(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            keys = [signed(key) for key in row["keys"]]
            made = self._db.execute(
                "INSERT INTO documents (url, site, recorded, data, keys) VALUES (?, ?, ?, ?, ?) RETURNING id",
                (row["url"], row["site"], row["recorded"], b64decode(row["data"]), json.dumps(keys)),
            ).fetchone()
            self._db.executemany("INSERT INTO signatures VALUES (?, ?)", [(key, made[0]) for key in keys])

    def _numbered(self, row: dict[str, Any]) -> int:
        self._db.execute(
            "INSERT OR IGNORE INTO sites (name, fingerprints) VALUES (?, ?)", (row["site"], row["fingerprints"])
        )
        found = self._db.execute(
            "SELECT id FROM sites WHERE name = ? AND fingerprints = ?", (row["site"], row["fingerprints"])
        )
        return int(found.fetchone()[0])

    def _insert(self, table: str, rows: list[dict[str, Any]], names: str) -> None:
        columns = names.split()
        self._db.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            [[_from_json(row["kind"], name, row[name]) for name in columns] for row in rows],
        )


def _to_json(kind: str, name: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "document" and name == "keys":
        return [unsigned(key) for key in json.loads(value)]
    if name in UNSIGNED:
        return unsigned(value)
    if (kind, name) in BINARY:
        return as_base64(value)
    return json.loads(value) if (kind, name) in JSON else value


def _from_json(kind: str, name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in UNSIGNED:
        return signed(value)
    if (kind, name) in BINARY:
        return b64decode(value)
    return json.dumps(value) if (kind, name) in JSON else value
