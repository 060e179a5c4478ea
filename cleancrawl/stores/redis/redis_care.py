"""Looking after a Redis store: what is in it, bounds, forgetting, moving it elsewhere."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from itertools import islice
from struct import Struct, unpack
from typing import Any

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.dump_rows import DUMP_VERSION, as_base64, make_row
from cleancrawl.stores.protocol import BlockInfo, SiteInfo, StoreInfo
from cleancrawl.stores.redis.redis_load import RedisLoad, sums_of, swapped
from cleancrawl.stores.redis.redis_server import VERSION

ROW = Struct(">IIIII")
"""Articles, others, first page, last page, time; then a flag and the fingerprint; of a text also ``SUMS``."""
PART = 500
"""Blocks that one call forgets: the server serves others in between."""
LOCK_SECONDS = 60
OF_A_SITE = ("blocks", "pages", "samples")


def scope_of(site: str) -> str:
    """Under which name the blocks of a site are kept: fingerprints of two versions never mix."""
    return f"{FINGERPRINT_VERSION}:{site}"


class RedisCare(RedisLoad):
    def info(self) -> StoreInfo:
        sites, pages, articles, held, memory = self._batch(
            ("SCARD", self._key("sites")),
            *(("HLEN", self._key(name)) for name in ("urls", "texts", "held")),
            ("INFO", "memory"),
        )
        blocks = sum(self._do("HLEN", self._key("blocks", scope)) for scope in self._scopes())
        size = int(memory["used_memory"])
        return StoreInfo(
            self.name, VERSION, FINGERPRINT_VERSION, sites, pages, articles, blocks, held, size, self.limits
        )

    def sites(self) -> list[SiteInfo]:
        return [self._site_info(site.decode()) for site in sorted(self._do("SMEMBERS", self._key("sites")))]

    def _site_info(self, site: str) -> SiteInfo:
        pages, blocks, held, urls, entries = self._batch(
            ("HLEN", self._key("pages", scope_of(site))),
            ("HLEN", self._key("blocks", scope_of(site))),
            ("ZCARD", self._key("holds", site)),
            ("SMEMBERS", self._key("urls", site)),
            ("ZRANGE", self._key("outbox", site), 0, -1),
        )
        states = self._do("HMGET", self._key("urls"), *urls) if urls else []
        texts = self._batch(*(("HEXISTS", self._key("texts"), url) for url in entries))
        last = max((float(json.loads(state)["last"]) for state in states), default=0.0)
        return SiteInfo(site, pages, len(urls), sum(texts), blocks, held, last)

    def blocks(self, site: str, limit: int = 50) -> list[BlockInfo]:
        rows = (
            (-articles - others, -articles, key, seen)
            for key, row in self._scan(self._key("blocks", scope_of(site)))
            for articles, others, _, _, seen in [ROW.unpack_from(row)]
        )
        first = heapq.nsmallest(limit, rows)
        if not first:
            return []
        samples = self._do("HMGET", self._key("samples", scope_of(site)), *(key for _, _, key, _ in first))
        return [
            BlockInfo((sample or b"").decode(), -pages, -articles, float(seen))
            for (pages, articles, _, seen), sample in zip(first, samples, strict=True)
        ]

    def prune(self, before: float) -> int:
        return sum(
            self._drop(
                scope,
                [key for key, row in self._scan(self._key("blocks", scope)) if ROW.unpack_from(row)[4] < before],
            )
            for scope in self._scopes()
        )

    def _drop_rarest(self, scope: str, total: int) -> None:
        """Outside the record: a search through all blocks must not stop the server. One crawler does it for all."""
        if not self._do("SET", self._key("dropping", scope), 1, "NX", "EX", LOCK_SECONDS):
            return
        rows = (
            (articles + others, seen, key)
            for key, row in self._scan(self._key("blocks", scope))
            for articles, others, _, _, seen in [ROW.unpack_from(row)]
        )
        rarest = heapq.nsmallest(rules.surplus(total, self.limits), rows)
        self._drop(scope, [key for _, _, key in rarest])
        self._do("DEL", self._key("dropping", scope))

    def _drop(self, scope: str, keys: list[bytes]) -> int:
        parts = (keys[start : start + PART] for start in range(0, len(keys), PART))
        return sum(self._script("drop", scope, b"".join(part)) for part in parts)

    def forget(self, site: str) -> int:
        urls = [url.decode() for url in self._do("SMEMBERS", self._key("urls", site))]
        for url in urls:
            self._script("forget", url, site)
        scopes = [scope for scope in self._scopes() if scope.partition(":")[2] == site]
        for scope in scopes:
            self._script("forget_near", scope)
        names = [self._key(name, scope) for scope in scopes for name in OF_A_SITE]
        self._batch(
            (
                "DEL",
                *names,
                *(self._key(name, site) for name in ("urls", "outbox", "holds", "notes", "visited", "runs")),
            ),
            ("SREM", self._key("sites"), site),
            ("SREM", self._key("noted"), site),
            ("SREM", self._key("ran"), site),
        )
        return len(urls)

    def dump(self) -> Iterator[dict[str, Any]]:
        yield {"kind": "store", "version": DUMP_VERSION}
        for scope in self._scopes():
            version, _, site = scope.partition(":")
            for number, page in self._scan(self._key("pages", scope)):
                yield _page_row(int(number), site, int(version), page)
        for scope in self._scopes():
            yield from self._dump_blocks(scope)
        for url, text in self._scan(self._key("urls")):
            yield _url_row(url.decode(), json.loads(text))
        for url, meta in self._scan(self._key("meta")):
            kept, *texts = self._batch(*(("HGET", self._key(name), url) for name in ("kept", "texts", "was")))
            yield _article_row(url.decode(), json.loads(meta), kept or b"", *texts)
        for name, cursor in self._scan(self._key("cursors")):
            yield make_row("cursor", name.decode(), int(cursor))
        for url, meta in self._scan(self._key("held")):
            hold, response = json.loads(meta), self._do("HGET", self._key("responses"), url)
            yield make_row("held", url.decode(), hold["site"], float(hold["since"]), as_base64(response))
        for url, meta in self._scan(self._key("documents")):
            document = json.loads(meta)
            yield _document_row(url.decode(), document, self._do("HGET", self._key("document"), document["number"]))
        for site in sorted(self._do("SMEMBERS", self._key("noted"))):
            for name, text in self._scan(self._key("notes", site.decode())):
                yield make_row("note", site.decode(), name.decode(), text.decode())
        for listed in self.listed_sites():
            yield make_row("listed", listed.name, listed.to_json(), listed.due)
        for row in self.runs():
            yield make_row("run", row.site, row.run, row.started, row.counts)

    def _dump_blocks(self, scope: str) -> Iterator[dict[str, Any]]:
        version, _, site = scope.partition(":")
        rows = self._scan(self._key("blocks", scope))
        while part := list(islice(rows, PART)):
            samples = self._do("HMGET", self._key("samples", scope), *(key for key, _ in part))
            for (key, row), sample in zip(part, samples, strict=True):
                near = int.from_bytes(row[21:29], "big") if row[20] else None
                values = (*ROW.unpack_from(row), None if sample is None else sample.decode(), *sums_of(row))
                yield make_row("block", site, int(version), int.from_bytes(key, "big"), near, *values)


def _page_row(number: int, site: str, version: int, page: bytes) -> dict[str, Any]:
    keys = swapped(page[9:])
    article, content = int(page[:1] == b"1"), int.from_bytes(page[1:9], "big")
    return make_row("page", number, site, version, article, content, as_base64(keys))


def _article_row(url: str, entry: dict[str, Any], kept: bytes, *texts: bytes | None) -> dict[str, Any]:
    fingerprints = (int(entry[name], 16) if entry[name] else None for name in ("previous", "content", "digest"))
    article, was = (None if text is None else json.loads(text) for text in texts)
    head = (entry["cursor"], url, entry["site"], entry["version"])
    return make_row("article", *head, *fingerprints, float(entry["recorded"]), article, as_base64(swapped(kept)), was)


def _document_row(url: str, document: dict[str, Any], data: bytes) -> dict[str, Any]:
    packed = bytes.fromhex(document["keys"])
    keys = list(unpack(f">{len(packed) // 8}Q", packed))
    return make_row("document", url, document["site"], float(document["recorded"]), as_base64(data), keys)


def _url_row(url: str, state: dict[str, Any]) -> dict[str, Any]:
    return make_row(
        "url",
        *(url, state["site"], state["page"], float(state["first"]), float(state["last"]), state["status"]),
        *(state.get("etag"), state.get("modified"), state.get("reason"), int(state["content"], 16), state["visits"]),
        *([float(time) for time in state["changes"].split(",") if time], state["version"], state.get("misses", 0)),
    )
