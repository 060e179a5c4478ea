"""``sqlite:///file``: one file, many readers, one writer at a time that the others wait for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.core.page import Known
from cleancrawl.errors import ConfigError
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.page_rules import NOT_RECORDED, Own, Sighting
from cleancrawl.stores.protocol import Limits, PageRecord, PageState, Prints, Recorded, Visit
from cleancrawl.stores.sqlite.arrivals import Arrival
from cleancrawl.stores.sqlite.sqlite_blocks import NO_SITE, SiteRow
from cleancrawl.stores.sqlite.sqlite_care import SqliteCare
from cleancrawl.stores.sqlite.sqlite_file import all_signed, signed, unsigned
from cleancrawl.stores.sqlite.sqlite_outbox import SqliteOutbox
from cleancrawl.stores.sqlite.sqlite_runs import SqliteRuns

STATE_COLUMNS = (
    "url, site, first_fetched, last_fetched, status, etag, last_modified, reason, content, visits, changes, misses,"
    " version"
)

IS_HELD = "EXISTS (SELECT 1 FROM held WHERE held.url = pages.url)"

SITE_AND_PAGE = (
    "SELECT s.id, s.pages, s.arrived, s.merged, d.id, d.keys FROM sites s LEFT JOIN pages p ON p.url = ?"
    " LEFT JOIN distinct_pages d ON d.id = p.page AND d.site = s.id WHERE s.name = ? AND s.fingerprints = ?"
)


def open_url(url: str, limits: Limits) -> SqliteStore:
    """``sqlite:///relative.db``, ``sqlite:////absolute.db``."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path:
        raise ConfigError(f"{url!r} names no file: write sqlite:///relative.db or sqlite:////absolute.db")
    return SqliteStore(path, limits)


class SqliteStore(SqliteOutbox, SqliteRuns, SqliteCare):
    def seen(self, site: str, url: str, prints: Prints) -> Known:
        with self._errors():
            found, own = self._site_and_page(site, url)
            if not found.number or self._knows_all(found):
                rows, near = self._sightings(found, own, prints)
            else:
                # More is read: all of one state of the file.
                with self._reading():
                    found, own = self._site_and_page(site, url)
                    rows, near = self._sightings(found, own, prints)
        return rules.count_pages(rows, near, own, rules.lengths_of(prints), found.pages, prints.sections)

    def _sightings(
        self, site: SiteRow, own: Own, prints: Prints
    ) -> tuple[list[Sighting | None], dict[int, list[Sighting]]]:
        """What is known of blocks by their exact text, and by their fingerprints."""
        keys = all_signed(prints.exact)
        if not site.number:
            return [None] * len(keys), {}
        table = self._table(site)
        self._look_up(site.number, table, keys)
        rows = table.sightings(keys)
        near = self._near(site.number, table, prints, rules.unsure(rows, own)) if site.pages else {}
        return rows, near

    def _site_and_page(self, site: str, url: str) -> tuple[SiteRow, Own]:
        """What is known of a site, and of the distinct page that a URL belongs to."""
        row = self._db.execute(SITE_AND_PAGE, (url, site, FINGERPRINT_VERSION)).fetchone()
        if row is None:
            return NO_SITE, NOT_RECORDED
        *of_site, page, keys = row
        return SiteRow._make(of_site), NOT_RECORDED if page is None else Own(page, rules.unpack_own(keys))

    def site_pages(self, site: str) -> int:
        with self._errors():
            return self._site(site).pages

    def site_articles(self, site: str) -> int:
        with self._errors():
            number = self._site(site).number
            row = self._db.execute(
                "SELECT count(*) FROM distinct_pages WHERE site = ? AND article", (number,)
            ).fetchone()
            return int(row[0])

    def record(self, record: PageRecord) -> Recorded:
        visit = record.visit
        known = record.known or self.seen(visit.site, visit.url, record.prints)
        copied = rules.copy_of(record, known)
        if not known.site_pages:
            # Made before the transaction, so that nobody waits for them; a site with pages was asked about them.
            record.prints.near(range(len(record.prints.exact)))
        with self._writing():
            self._check_lease(visit.site)
            site, own = self._site_and_page(visit.site, visit.url)
            if not site.number:
                site = self._make_site(visit.site)
            old = self._state(visit.url)
            page = self._count_blocks(record, site, own, copied)
            recorded = self._put_article(record, old.version if old else 0)
            self._put_state(rules.after_record(old, record), page, recorded.version)
            self._put_hold(record)
        return recorded

    def _make_site(self, site: str) -> SiteRow:
        row = self._db.execute(
            "INSERT INTO sites (name, fingerprints) VALUES (?, ?) RETURNING id", (site, FINGERPRINT_VERSION)
        ).fetchone()
        return SiteRow(int(row[0]), 0, 0, 0)

    def _count_blocks(self, record: PageRecord, site: SiteRow, own: Own, copied: int) -> int:
        """Count the page's blocks for the distinct page that it is; returns that page's number."""
        article, now = record.visit.reason is None, int(record.visit.fetched)
        prints = record.prints
        keys = all_signed(prints.exact)
        by_key = dict(zip(keys, range(len(keys)), strict=True))
        own, is_new = self._distinct_page(record, site.number, own, copied, by_key)
        fresh, again, moved = rules.counted(own, by_key, article)
        table, sections = self._table(site), rules.sections_of(prints)
        self._look_up(site.number, table, keys)
        known, new = table.rows.parted(fresh)
        printed = list(zip(new, prints.near([by_key[key] for key in new]), strict=True))
        long = [key for key, near in printed if near is not None]
        new = long + [key for key, near in printed if near is None]
        texts = prints.samples or [""] * len(keys)
        arrival = Arrival(
            *(own.page, now, article, new, all_signed([near for _, near in printed if near is not None])),
            [sections[by_key[key]] if article else 0 for key in new],
            known,
            [sections[by_key[key]] if article else 0 for key in known],
            moved,
            [sections[by_key[key]] for key in moved],
            table.long_ago(again, now),
            {key: rules.sample_of(texts[by_key[key]]) for key in table.rows.unsampled(known)},
        )
        if fresh or moved or arrival.again:
            self._arrive(site, arrival, pages=is_new)
        elif is_new:
            self._db.execute("UPDATE sites SET pages = pages + 1 WHERE id = ?", (site.number,))
        return own.page

    def _distinct_page(
        self, record: PageRecord, site: int, own: Own, copied: int, keys: Iterable[int]
    ) -> tuple[Own, bool]:
        """The page of its URL, the one that it copies, or a new one, as it was before these keys were counted for it.

        And whether it is new.
        """
        article, content = record.visit.reason is None, signed(record.content)
        if not own.page and copied:
            row = self._db.execute(
                "SELECT id, keys, content FROM distinct_pages WHERE id = ? AND site = ?", (copied, site)
            ).fetchone()
            if row and rules.contents_agree(unsigned(row[2]), record.content):
                own = Own(row[0], rules.unpack_own(row[1]))
        owned = rules.owned(own, keys, article, self.limits.page_blocks)
        if own.page:
            self._db.execute(
                "UPDATE distinct_pages SET article = ?, content = ?, keys = ? WHERE id = ?",
                (article, content, owned, own.page),
            )
            return own, False
        made = self._db.execute(
            "INSERT INTO distinct_pages (site, article, content, keys) VALUES (?, ?, ?, ?) RETURNING id",
            (site, article, content, owned),
        ).fetchone()
        return Own(made[0], {}), True

    def _put_hold(self, record: PageRecord) -> None:
        visit = record.visit
        if record.held is None:
            self._db.execute("DELETE FROM held WHERE url = ?", (visit.url,))
        else:
            self._db.execute(
                "INSERT OR REPLACE INTO held (url, site, since, response) VALUES (?, ?, ?, ?)",
                (visit.url, visit.site, visit.fetched, record.held),
            )

    def _state(self, url: str) -> PageState | None:
        return self._states([url]).get(url)

    def page_states(self, urls: Sequence[str]) -> dict[str, PageState]:
        with self._errors():
            return self._states(urls)

    def _states(self, urls: Sequence[str]) -> dict[str, PageState]:
        rows = self._db.execute(
            f"SELECT {STATE_COLUMNS}, {IS_HELD} FROM json_each(?) CROSS JOIN pages ON url = value",
            (json.dumps(urls),),
        )
        return {row[0]: _to_state(row) for row in rows}

    def stale(self, site: str, before: float, limit: int = 1000) -> list[PageState]:
        with self._errors():
            rows = self._db.execute(
                f"SELECT {STATE_COLUMNS}, {IS_HELD} FROM pages"
                " WHERE site = ? AND version > 0 AND last_fetched < ? ORDER BY last_fetched, url LIMIT ?",
                (site, before, limit),
            )
            return [_to_state(row) for row in rows]

    def visit(self, visit: Visit) -> None:
        with self._writing():
            self._check_lease(visit.site)
            old = self._state(visit.url)
            page = self._db.execute("SELECT page FROM pages WHERE url = ?", (visit.url,)).fetchone()
            self._put_state(rules.after_visit(old, visit), page[0] if page else 0, old.version if old else 0)

    def _put_state(self, state: PageState, page: int, version: int) -> None:
        self._db.execute(
            f"INSERT OR REPLACE INTO pages ({STATE_COLUMNS}, page) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(state.url, state.site, state.first_fetched, state.last_fetched, state.status, state.etag),
                *(state.last_modified, state.reason, signed(state.content), state.visits),
                *(json.dumps(state.changes), state.misses, version, page),
            ),
        )


def _to_state(row: Sequence[Any]) -> PageState:
    url, site, first, last, status, etag, modified, reason, content, visits, changes, misses, version, held = row
    seen = (visits, tuple(json.loads(changes)), version, bool(held), misses)
    return PageState(*(url, site, first, last, status, etag, modified, reason), unsigned(content), *seen)
