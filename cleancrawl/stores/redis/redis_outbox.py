"""Articles, readers' cursors, document fingerprints and held pages in a Redis store."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from struct import pack

from cleancrawl.core.site import site_key
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores import version_rules
from cleancrawl.stores.protocol import Candidate, HeldPage, StoredArticle
from cleancrawl.stores.redis.redis_server import RedisServer


class RedisOutbox(RedisServer):
    def articles(self, after: int = 0, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        rows = self._script("articles", after, limit, "" if site is None else site)
        return [_to_stored(url.decode(), meta, text, was) for url, meta, text, was in rows]

    def newest(self, before: int | None = None, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        key = self._key("outbox") if site is None else self._key("outbox", site)
        bound = "+inf" if before is None else f"({before}"
        urls = self._do("ZREVRANGEBYSCORE", key, bound, "-inf", "LIMIT", 0, limit)
        if not urls:
            return []
        rows = self._batch(*(("HMGET", self._key(name), *urls) for name in ("meta", "texts", "was")))
        return [_to_stored(url.decode(), *row) for url, *row in zip(urls, *rows, strict=True) if row[0]]

    def article(self, url: str) -> StoredArticle | None:
        meta, text, was = self._batch(*(("HGET", self._key(name), url) for name in ("meta", "texts", "was")))
        return _to_stored(url, meta, text, was) if meta else None

    def withdraw(self, url: str, moment: float | None = None) -> bool:
        then = time.time() if moment is None else moment
        return bool(self._script("withdraw", url, repr(then), self._fence(site_key(url))))

    def mark_duplicate(self, url: str, original: str | None) -> bool:
        while True:
            meta, text = self._batch(("HGET", self._key("meta"), url), ("HGET", self._key("texts"), url))
            marked = version_rules.with_original(text, original) if meta and text is not None else None
            if marked is None:
                return False
            # Not done where somebody has changed the entry meanwhile.
            if self._script("mark_duplicate", url, meta, marked):
                return True

    def began(self) -> int:
        key, now = self._key("cursors"), int(time.time() * 1e6)
        _, found = self._batch(("HSETNX", key, rules.BEGAN, now), ("HGET", key, rules.BEGAN))
        return int(found)

    def cursor(self, name: str) -> int:
        return int(self._do("HGET", self._key("cursors"), name) or 0)

    def note(self, site: str, name: str) -> str | None:
        found = self._do("HGET", self._key("notes", site), name)
        return None if found is None else str(found.decode())

    def set_note(self, site: str, name: str, text: str) -> None:
        self._script("note", site, name, text, self._fence(site))

    def set_cursor(self, name: str, cursor: int) -> None:
        self._do("HSET", self._key("cursors"), name, cursor)

    def article_counts(self) -> dict[str, int]:
        sites = [site.decode() for site in self._do("SMEMBERS", self._key("sites"))]
        entries = self._batch(*(("ZCARD", self._key("outbox", site)) for site in sites))
        counts = Counter(dict(zip(sites, entries, strict=True)))
        gone = self._do("HKEYS", self._key("was"))
        metas = self._do("HMGET", self._key("meta"), *gone) if gone else []
        counts.subtract(json.loads(meta)["site"] for meta in metas if meta)
        return {site: number for site, number in counts.items() if number > 0}

    def candidates(self, keys: Sequence[int], limit: int = 100) -> list[Candidate]:
        found = []
        for url, meta, data in self._script("candidates", pack(f">{len(keys)}Q", *keys), rules.SHARERS):
            document = json.loads(meta)
            found.append((float(document["recorded"]), document["number"], url.decode(), document["site"], data))
        return [Candidate(url, site, recorded, data) for recorded, _, url, site, data in sorted(found)[:limit]]

    def held(
        self, site: str | None = None, before: float | None = None, after: str = "", limit: int = 100
    ) -> list[HeldPage]:
        rows = self._script("held", "" if site is None else site, "" if before is None else repr(before), after, limit)
        return [_to_held(url.decode(), meta, response) for url, meta, response in rows]

    def held_page(self, url: str) -> HeldPage | None:
        meta, response = self._batch(("HGET", self._key("held"), url), ("HGET", self._key("responses"), url))
        return _to_held(url, meta, response) if meta else None

    def holds(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for meta in self._do("HVALS", self._key("held")):
            site = json.loads(meta)["site"]
            counts[site] = counts.get(site, 0) + 1
        return counts

    def release(self, url: str) -> None:
        self._script("release", url, self._fence(site_key(url)))


def _to_held(url: str, meta: bytes, response: bytes) -> HeldPage:
    hold = json.loads(meta)
    return HeldPage(url, hold["site"], float(hold["since"]), response)


def _to_stored(url: str, meta: bytes, *texts: bytes | None) -> StoredArticle:
    entry = json.loads(meta)
    previous = int(entry["previous"], 16) if entry["previous"] else None
    article, was = (None if text is None else json.loads(text) for text in texts)
    return StoredArticle(
        entry["cursor"], url, entry["site"], entry["version"], previous, float(entry["recorded"]), article, was
    )
