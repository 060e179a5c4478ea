"""Articles, readers' cursors, document fingerprints and held pages in a SQLite store."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from cleancrawl.core.site import site_key
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores import version_rules
from cleancrawl.stores.protocol import Candidate, HeldPage, PageRecord, Recorded, Signature, StoredArticle, Visit
from cleancrawl.stores.sqlite.sqlite_file import SqliteFile, signed, unsigned

ARTICLE_COLUMNS = "cursor, url, site, version, previous, recorded, article, was"


class SqliteOutbox(SqliteFile):
    def _put_article(self, record: PageRecord, version: int) -> Recorded:
        """Inside a transaction: the article as a new entry, unless it is the one that is there."""
        if record.article is None:
            return Recorded(version)
        visit, digest = record.visit, signed(version_rules.article_digest(record.article))
        kept = version_rules.verdicts(record, self.limits.page_blocks)
        row = self._db.execute(
            "SELECT version, digest, content, article, kept FROM articles WHERE url = ?", (visit.url,)
        ).fetchone()
        if row and row[3] is not None:
            stored = json.loads(row[3])
            if row[1] == digest and version_rules.more_renderings(stored, record.article):
                self._db.execute(
                    "UPDATE articles SET article = ? WHERE url = ?", (json.dumps(record.article), visit.url)
                )
            again = version_rules.same_source(row[4], kept) and version_rules.same_head(stored, record.article)
            if again or row[1] == digest:
                return Recorded(row[0])
        if row:
            self._db.execute("DELETE FROM articles WHERE url = ?", (visit.url,))
        version, previous = (row[0] + 1, row[2]) if row else (1, None)
        made = self._db.execute(
            "INSERT INTO articles (url, site, version, previous, content, digest, recorded, article, kept)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING cursor",
            (
                *(visit.url, visit.site, version, previous, signed(record.content), digest, visit.fetched),
                *(json.dumps(record.article), kept),
            ),
        )
        cursor = made.fetchone()[0]
        if record.signature:
            self._put_signature(visit, record.signature)
        return Recorded(version, None if previous is None else unsigned(previous), cursor)

    def _put_signature(self, visit: Visit, signature: Signature) -> None:
        self._drop_signature(visit.url)
        keys = [signed(key) for key in dict.fromkeys(signature.keys)]
        made = self._db.execute(
            "INSERT INTO documents (url, site, recorded, data, keys) VALUES (?, ?, ?, ?, ?) RETURNING id",
            (visit.url, visit.site, visit.fetched, signature.data, json.dumps(keys)),
        )
        document = made.fetchone()[0]
        self._db.executemany("INSERT INTO signatures (key, document) VALUES (?, ?)", [(key, document) for key in keys])

    def _drop_signature(self, url: str) -> None:
        old = self._db.execute("DELETE FROM documents WHERE url = ? RETURNING id, keys", (url,)).fetchone()
        if old:
            self._db.executemany(
                "DELETE FROM signatures WHERE key = ? AND document = ?", [(key, old[0]) for key in json.loads(old[1])]
            )

    def articles(self, after: int = 0, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        chosen, values = ("AND site = ?", [site]) if site is not None else ("", [])
        with self._errors():
            rows = self._db.execute(
                f"SELECT {ARTICLE_COLUMNS} FROM articles WHERE cursor > ? {chosen} ORDER BY cursor LIMIT ?",
                (after, *values, limit),
            )
            return [_to_stored(row) for row in rows]

    def newest(self, before: int | None = None, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        chosen, values = ("AND site = ?", [site]) if site is not None else ("", [])
        with self._errors():
            rows = self._db.execute(
                f"SELECT {ARTICLE_COLUMNS} FROM articles WHERE cursor < ? {chosen} ORDER BY cursor DESC LIMIT ?",
                (2**62 if before is None else before, *values, limit),
            )
            return [_to_stored(row) for row in rows]

    def article(self, url: str) -> StoredArticle | None:
        with self._errors():
            row = self._db.execute(f"SELECT {ARTICLE_COLUMNS} FROM articles WHERE url = ?", (url,)).fetchone()
        return _to_stored(row) if row else None

    def withdraw(self, url: str, moment: float | None = None) -> bool:
        with self._writing() as connection:
            self._check_lease(site_key(url))
            row = connection.execute(
                "DELETE FROM articles WHERE url = ? AND article IS NOT NULL"
                " RETURNING url, site, version, previous, content, digest, kept, article",
                (url,),
            ).fetchone()
            if row:
                connection.execute(
                    "INSERT INTO articles (url, site, version, previous, content, digest, kept, was, recorded)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*row, time.time() if moment is None else moment),
                )
            self._drop_signature(url)
        return row is not None

    def mark_duplicate(self, url: str, original: str | None) -> bool:
        columns = "url, site, version, previous, content, digest, recorded, kept"
        with self._writing() as connection:
            row = connection.execute(f"SELECT article, {columns} FROM articles WHERE url = ?", (url,)).fetchone()
            text = version_rules.with_original(row[0], original) if row and row[0] is not None else None
            if text is None:
                return False
            connection.execute("DELETE FROM articles WHERE url = ?", (url,))
            connection.execute(
                f"INSERT INTO articles (article, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (text, *row[1:])
            )
        return True

    def began(self) -> int:
        if found := self.cursor(rules.BEGAN):
            return found
        with self._writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO cursors (name, cursor) VALUES (?, ?)", (rules.BEGAN, int(time.time() * 1e6))
            )
        return self.cursor(rules.BEGAN)

    def cursor(self, name: str) -> int:
        with self._errors():
            row = self._db.execute("SELECT cursor FROM cursors WHERE name = ?", (name,)).fetchone()
        return row[0] if row else 0

    def note(self, site: str, name: str) -> str | None:
        with self._errors():
            row = self._db.execute("SELECT note FROM notes WHERE site = ? AND name = ?", (site, name)).fetchone()
            return None if row is None else str(row[0])

    def set_note(self, site: str, name: str, text: str) -> None:
        with self._writing() as connection:
            self._check_lease(site)
            connection.execute("INSERT OR REPLACE INTO notes (site, name, note) VALUES (?, ?, ?)", (site, name, text))

    def set_cursor(self, name: str, cursor: int) -> None:
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO cursors (name, cursor) VALUES (?, ?)", (name, cursor))

    def article_counts(self) -> dict[str, int]:
        # From two indexes: the rows themselves have the texts in them.
        with self._reading() as connection:
            counts = dict(connection.execute("SELECT site, count(*) FROM articles GROUP BY site"))
            gone = connection.execute("SELECT site, count(*) FROM articles WHERE article IS NULL GROUP BY site")
            for site, number in gone.fetchall():
                counts[site] -= number
        return {site: number for site, number in counts.items() if number}

    def candidates(self, keys: Sequence[int], limit: int = 100) -> list[Candidate]:
        with self._errors():
            rows = self._db.execute(
                "SELECT DISTINCT d.id, d.url, d.site, d.recorded, d.data"
                " FROM json_each(?) q CROSS JOIN documents d ON d.id IN"
                " (SELECT document FROM signatures s WHERE s.key = q.value ORDER BY document LIMIT ?)"
                " ORDER BY d.recorded, d.id LIMIT ?",
                (json.dumps([signed(key) for key in keys]), rules.SHARERS, limit),
            )
            return [Candidate(*row[1:]) for row in rows]

    def held(
        self, site: str | None = None, before: float | None = None, after: str = "", limit: int = 100
    ) -> list[HeldPage]:
        chosen, values = "", list[Any]([after])
        if site is not None:
            chosen, values = "AND site = ?", [after, site]
        if before is not None:
            chosen, values = chosen + " AND since < ?", [*values, before]
        with self._errors():
            rows = self._db.execute(
                f"SELECT url, site, since, response FROM held WHERE url > ? {chosen} ORDER BY url LIMIT ?",
                (*values, limit),
            )
            return [HeldPage(*row) for row in rows]

    def held_page(self, url: str) -> HeldPage | None:
        with self._errors():
            row = self._db.execute("SELECT url, site, since, response FROM held WHERE url = ?", (url,)).fetchone()
        return HeldPage(*row) if row else None

    def holds(self) -> dict[str, int]:
        with self._errors():
            return dict(self._db.execute("SELECT site, count(*) FROM held GROUP BY site"))

    def release(self, url: str) -> None:
        with self._writing() as connection:
            self._check_lease(site_key(url))
            connection.execute("DELETE FROM held WHERE url = ?", (url,))


def _to_stored(row: Sequence[Any]) -> StoredArticle:
    cursor, url, site, version, previous, recorded, *texts = row
    fingerprint = None if previous is None else unsigned(previous)
    article, was = (text and json.loads(text) for text in texts)
    return StoredArticle(cursor, url, site, version, fingerprint, recorded, article, was)
