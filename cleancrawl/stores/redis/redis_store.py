"""``redis://host:port/db``: one store for the crawlers of several machines (extra ``redis``)."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from struct import pack
from typing import Any

from cleancrawl.core.page import Known
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores import version_rules
from cleancrawl.stores.page_rules import NOT_RECORDED, Own, Sighting
from cleancrawl.stores.protocol import Limits, PageRecord, PageState, Prints, Recorded, Visit
from cleancrawl.stores.redis.redis_care import ROW, RedisCare, scope_of
from cleancrawl.stores.redis.redis_load import sums_of, swapped

CACHED_SITES, CACHED_KEYS = 256, 4096


def open_url(url: str, limits: Limits) -> RedisStore:
    return RedisStore(url, limits)


class RedisStore(RedisCare):
    def __init__(self, url: str, limits: Limits | None = None) -> None:
        super().__init__(url, limits)
        self._common: OrderedDict[str, set[int]] = OrderedDict()

    def seen(self, site: str, url: str, prints: Prints) -> Known:
        near = self._fingerprints(site, prints)
        pages, number, own_page, found, near_rows = self._script(
            "seen", scope_of(site), url, pack(f">{len(prints.exact)}Q", *prints.exact), near
        )
        rows = [row and _sighting(key, row) for key, row in zip(prints.exact, found, strict=True)]
        own = _own(number, own_page) if own_page else NOT_RECORDED
        unsure = set(rules.unsure(rows, own))
        within: dict[int, list[Sighting]] = {}
        for place, key, row in near_rows:
            if row and place - 1 in unsure:
                within.setdefault(place - 1, []).append(_sighting(int.from_bytes(key, "big"), row))
        self._remember(site, rows)
        return rules.count_pages(rows, within, own, rules.lengths_of(prints), pages, prints.sections)

    def _fingerprints(self, site: str, prints: Prints, places: Sequence[int] | None = None) -> bytes:
        """Simhashes for one round trip, made ahead for all blocks but those known to be on many pages."""
        common = self._common.get(site, set())
        chosen = range(len(prints.exact)) if places is None else places
        wanted = [place for place in chosen if prints.exact[place] not in common]
        made = dict(zip(wanted, prints.near(wanted), strict=True))
        return b"".join(_flagged(made.get(place)) for place in chosen)

    def _remember(self, site: str, rows: Sequence[Sighting | None]) -> None:
        """A count never falls below where the fingerprint is needed, so these need not be asked again."""
        common = self._common.setdefault(site, set())
        self._common.move_to_end(site)
        common.update(row.key for row in rows if row and row.articles + row.others > rules.ENOUGH)
        if len(common) > CACHED_KEYS:
            common.clear()
        if len(self._common) > CACHED_SITES:
            self._common.popitem(last=False)

    def site_pages(self, site: str) -> int:
        return int(self._do("HLEN", self._key("pages", scope_of(site))))

    def site_articles(self, site: str) -> int:
        return int(self._script("site_articles", scope_of(site)))

    def record(self, record: PageRecord) -> Recorded:
        visit, prints = record.visit, record.prints
        known = record.known or self.seen(visit.site, visit.url, prints)
        places = list({key: place for place, key in enumerate(prints.exact)}.values())
        samples = [rules.sample_of(prints.samples[place]) if prints.samples else "" for place in places]
        signature, sections = record.signature, rules.sections_of(prints)
        version, previous, cursor, blocks = self._script(
            "record",
            *(scope_of(visit.site), visit.url, _visit_json(visit, content=f"{record.content:016x}")),
            pack(f">{len(places)}Q", *(prints.exact[place] for place in places)),
            self._fingerprints(visit.site, prints, places),
            json.dumps(samples),
            *(rules.copy_of(record, known), self.limits.sightings, self.limits.page_blocks),
            json.dumps(record.article) if record.article is not None else "",
            f"{version_rules.article_digest(record.article):016x}" if record.article is not None else "",
            pack(f">{len(signature.keys)}Q", *signature.keys) if signature else b"",
            signature.data if signature else b"",
            record.held or b"",
            *(_flags(record, places), pack(">I", record.judge), self._fence(visit.site)),
            pack(f">{len(places)}H", *(sections[place] for place in places)),
        )
        if blocks > self.limits.blocks_per_site:
            self._drop_rarest(scope_of(visit.site), blocks)
        return Recorded(version, int(previous, 16) if previous else None, cursor or None)

    def visit(self, visit: Visit) -> None:
        self._script("visit", visit.url, _visit_json(visit), self._fence(visit.site))

    def page_states(self, urls: Sequence[str]) -> dict[str, PageState]:
        if not urls:
            return {}
        states, held = self._batch(("HMGET", self._key("urls"), *urls), ("HMGET", self._key("held"), *urls))
        return {
            url: _to_state(url, json.loads(text), meta is not None)
            for url, text, meta in zip(urls, states, held, strict=True)
            if text
        }

    def stale(self, site: str, before: float, limit: int = 1000) -> list[PageState]:
        found = self._do("ZRANGEBYSCORE", self._key("visited", site), "-inf", f"({before!r}", "LIMIT", 0, limit)
        return list(self.page_states([url.decode() for url in found]).values())


def _sighting(key: int, row: bytes) -> Sighting:
    articles, others, first, last, _ = ROW.unpack_from(row)
    return Sighting(key, articles, others, first, last, *sums_of(row))


def _own(number: int, page: bytes) -> Own:
    return Own(number, rules.unpack_own(swapped(page[9:])))


def _flagged(near: int | None) -> bytes:
    return b"\0" * 9 if near is None else b"\1" + near.to_bytes(8, "big")


def _flags(record: PageRecord, places: Sequence[int]) -> str:
    """Per key whether a block of that text is kept; the text may be on the page more than once."""
    kept = {key for key, words in zip(record.prints.exact, record.words, strict=False) if words}
    return "".join("01"[record.prints.exact[place] in kept] for place in places)


def _visit_json(visit: Visit, **more: str) -> str:
    values = {
        "site": visit.site,
        "fetched": repr(visit.fetched),
        "status": visit.status,
        "etag": visit.etag,
        "modified": visit.last_modified,
        "reason": visit.reason,
        "run": None if visit.run is None else repr(visit.run),
        **more,
    }
    return json.dumps({name: value for name, value in values.items() if value is not None})


def _to_state(url: str, state: dict[str, Any], held: bool) -> PageState:
    return PageState(
        url=url,
        site=state["site"],
        first_fetched=float(state["first"]),
        last_fetched=float(state["last"]),
        status=int(state["status"]),
        etag=state.get("etag"),
        last_modified=state.get("modified"),
        reason=state.get("reason"),
        content=int(state["content"], 16),
        visits=int(state["visits"]),
        changes=tuple(float(time) for time in state["changes"].split(",") if time),
        version=int(state["version"]),
        held=held,
        misses=int(state.get("misses", 0)),
    )
