"""``sqlite:///file``: one file, many readers, one writer at a time that the others wait for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.core.page import Known
from cleancrawl.errors import ConfigError
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.page_rules import NOT_RECORDED, Own, Sighting
from cleancrawl.stores.protocol import Limits, PageRecord, PageState, Prints, Recorded, Visit
from cleancrawl.stores.sqlite.sqlite_care import SqliteCare
from cleancrawl.stores.sqlite.sqlite_file import BITS, all_signed, band_keys, signed, unsigned
from cleancrawl.stores.sqlite.sqlite_outbox import SqliteOutbox
from cleancrawl.stores.sqlite.sqlite_runs import SqliteRuns

DAY = 86_400

STATE_COLUMNS = (
    "url, site, first_fetched, last_fetched, status, etag, last_modified, reason, content, visits, changes, misses,"
    " version"
)

IS_HELD = "EXISTS (SELECT 1 FROM held WHERE held.url = pages.url)"

OWN_PAGE = "SELECT d.id, d.keys FROM pages JOIN distinct_pages d ON d.id = page WHERE url = ? AND d.site = ?"


def open_url(url: str, limits: Limits) -> SqliteStore:
    """``sqlite:///relative.db``, ``sqlite:////absolute.db``."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path:
        raise ConfigError(f"{url!r} names no file: write sqlite:///relative.db or sqlite:////absolute.db")
    return SqliteStore(path, limits)


class SqliteStore(SqliteOutbox, SqliteRuns, SqliteCare):
    def seen(self, site: str, url: str, prints: Prints) -> Known:
        keys = all_signed(prints.exact)
        with self._reading():
            number, pages = self._site(site)
            own = self._own(url, number)
            by_key = self._blocks(number, keys)
            rows = [by_key.get(key) for key in keys]
            near = self._near(number, prints, rules.unsure(rows, own)) if pages else {}
        return rules.count_pages(rows, near, own, rules.lengths_of(prints), pages, prints.sections)

    def site_pages(self, site: str) -> int:
        with self._errors():
            return self._site(site)[1]

    def site_articles(self, site: str) -> int:
        with self._errors():
            number, _ = self._site(site)
            row = self._db.execute(
                "SELECT count(*) FROM distinct_pages WHERE site = ? AND article", (number,)
            ).fetchone()
            return int(row[0])

    def _site(self, site: str) -> tuple[int, int]:
        row = self._db.execute(
            "SELECT id, pages FROM sites WHERE name = ? AND fingerprints = ?", (site, FINGERPRINT_VERSION)
        ).fetchone()
        return row or (0, 0)

    def _own(self, url: str, site: int) -> Own:
        row = self._db.execute(
            OWN_PAGE,
            (url, site),
        ).fetchone()
        return Own(row[0], rules.unpack_own(row[1])) if row else NOT_RECORDED

    def _blocks(self, site: int, keys: Sequence[int]) -> dict[int, Sighting]:
        found = self._db.execute(
            "SELECT b.key, articles, others, first, last, sections, squares"
            " FROM json_each(?) q CROSS JOIN blocks b ON site = ? AND b.key = q.value",
            (json.dumps(keys), site),
        )
        return {row[0]: Sighting._make(row) for row in found}

    def _known_keys(self, site: int, keys: Sequence[int]) -> set[int]:
        found = self._db.execute(
            "SELECT b.key FROM json_each(?) q CROSS JOIN blocks b ON site = ? AND b.key = q.value",
            (json.dumps(keys), site),
        )
        return {key for (key,) in found}

    def _near(self, site: int, prints: Prints, indices: Sequence[int]) -> dict[int, list[Sighting]]:
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
        by_key = self._blocks(site, list({key for _, key in pairs})) if pairs else {}
        result: dict[int, list[Sighting]] = {}
        for index, key in sorted(pairs):
            if key in by_key:
                result.setdefault(index, []).append(by_key[key])
        return result

    def record(self, record: PageRecord) -> Recorded:
        visit = record.visit
        known = record.known or self.seen(visit.site, visit.url, record.prints)
        copied = rules.copy_of(record, known)
        if not known.site_pages:
            # Made before the transaction, so that nobody waits for them; a site with pages was asked about them.
            record.prints.near(range(len(record.prints.exact)))
        with self._writing():
            self._check_lease(visit.site)
            site = self._make_site(visit.site)
            old = self._state(visit.url)
            page = self._count_blocks(record, site, copied)
            recorded = self._put_article(record, old.version if old else 0)
            self._put_state(rules.after_record(old, record), page, recorded.version)
            self._put_hold(record)
        return recorded

    def _make_site(self, site: str) -> int:
        number, _ = self._site(site)
        if number:
            return number
        row = self._db.execute(
            "INSERT INTO sites (name, fingerprints) VALUES (?, ?) RETURNING id", (site, FINGERPRINT_VERSION)
        ).fetchone()
        return int(row[0])

    def _count_blocks(self, record: PageRecord, site: int, copied: int) -> int:
        """Count the page's blocks for the distinct page that it is; returns that page's number."""
        own = self._distinct_page(record, site, copied)
        article, now = record.visit.reason is None, int(record.visit.fetched)
        keys = all_signed(record.prints.exact)
        by_key = dict(zip(keys, range(len(keys)), strict=True))
        fresh, again, moved = rules.counted(own, by_key, article)
        step, sections = 1 if article else -1, rules.sections_of(record.prints)
        self._db.executemany(
            "UPDATE blocks SET articles = max(0, articles + ?), others = max(0, others - ?),"
            " sections = max(0, sections + ?), squares = max(0, squares + ?) WHERE site = ? AND key = ?",
            [
                (step, step, step * section, step * section * section, site, key)
                for key, section in ((key, sections[by_key[key]]) for key in moved)
            ],
        )
        self._db.executemany(
            "UPDATE blocks SET seen = ? WHERE site = ? AND key = ? AND seen < ?",
            [(now, site, key, now - DAY) for key in again + moved],
        )
        self._add_blocks(record, site, own.page, {key: by_key[key] for key in fresh})
        self._db.execute(
            "UPDATE distinct_pages SET article = ?, content = ?, keys = ? WHERE id = ?",
            (article, signed(record.content), rules.owned(own, by_key, article, self.limits.page_blocks), own.page),
        )
        return own.page

    def _distinct_page(self, record: PageRecord, site: int, copied: int) -> Own:
        """The page of its URL, the one that it copies, or a new one."""
        row = self._db.execute(OWN_PAGE, (record.visit.url, site)).fetchone()
        if row is None and copied:
            row = self._db.execute(
                "SELECT id, keys, content FROM distinct_pages WHERE id = ? AND site = ?", (copied, site)
            ).fetchone()
            if row and not rules.contents_agree(unsigned(row[2]), record.content):
                row = None
        if row:
            return Own(row[0], rules.unpack_own(row[1]))
        self._db.execute("UPDATE sites SET pages = pages + 1 WHERE id = ?", (site,))
        made = self._db.execute(
            "INSERT INTO distinct_pages (site, article, content, keys) VALUES (?, ?, 0, x'') RETURNING id",
            (site, record.visit.reason is None),
        ).fetchone()
        return Own(made[0], {})

    def _add_blocks(self, record: PageRecord, site: int, page: int, kept: dict[int, int]) -> None:
        prints, now, most = record.prints, int(record.visit.fetched), self.limits.sightings
        article = int(record.visit.reason is None)
        there = self._known_keys(site, list(kept))
        samples = prints.samples or [""] * len(prints.exact)
        sections = [article * section for section in rules.sections_of(prints)]
        self._db.executemany(
            "UPDATE blocks SET articles = min(articles + ?, ?), others = min(others + ?, ?), last = ?,"
            " seen = max(seen, ?), sample = coalesce(sample, ?), sections = sections + ? * (articles < ?),"
            " squares = squares + ? * (articles < ?) WHERE site = ? AND key = ?",
            [
                (
                    *(article, most, 1 - article, most, page, now, rules.sample_of(samples[place])),
                    *(sections[place], most, sections[place] ** 2, most, site, key),
                )
                for key, place in ((key, kept[key]) for key in there)
            ],
        )
        new = [key for key in kept if key not in there]
        new.sort()  # neighbours in the tree one after another
        nears = [None if near is None else signed(near) for near in prints.near([kept[key] for key in new])]
        self._db.executemany(
            "INSERT INTO blocks (site, key, near, articles, others, first, last, seen, sections, squares)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (site, key, near, article, 1 - article, page, page, now, section, section * section)
                for key, near, section in zip(new, nears, [sections[kept[key]] for key in new], strict=True)
            ],
        )
        bands = [
            (band, near, key)
            for key, near in zip(new, nears, strict=True)
            if near is not None
            for band in band_keys(site, near)
        ]
        self._db.executemany("INSERT OR IGNORE INTO bands (band, near, key) VALUES (?, ?, ?)", sorted(bands))
        total = self._db.execute(
            "UPDATE sites SET blocks = blocks + ? WHERE id = ? RETURNING blocks", (len(new), site)
        ).fetchone()[0]
        if total > self.limits.blocks_per_site:
            self._drop_rarest(site, total)

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
