"""Bringing the rows of a dump into a Redis store."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator
from struct import Struct, pack
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.stores.dump_rows import check_row
from cleancrawl.stores.redis.redis_outbox import RedisOutbox
from cleancrawl.stores.redis.redis_runs import RedisRuns
from cleancrawl.stores.redis.redis_sites import RedisSites
from cleancrawl.stores.redis.redis_upgrade import RedisUpgrade

Command = tuple[bytes | str | float, ...]
PART = 500
SUMS = Struct(">IQ")
"""At the end of a block that is text: the sums over the sections of its pages."""
_BEFORE_SUMS = 29


class RedisLoad(RedisSites, RedisOutbox, RedisRuns, RedisUpgrade):
    def load(self, rows: Iterable[dict[str, Any]]) -> int:
        commands: list[Command] = []
        total = 0
        for row in map(check_row, rows):
            kind = row.pop("kind")
            commands.extend(getattr(self, f"_load_{kind}")(**row))
            total += 1
            if len(commands) >= PART:
                self._batch(*commands)
                commands = []
        self._batch(*commands)
        return total

    def _load_store(self, version: int) -> Iterator[Command]:
        """The head of a dump; checked with every row."""
        yield from ()

    def _load_page(
        self, id: int, site: str, fingerprints: int, article: int, content: int, keys: str
    ) -> Iterator[Command]:
        page = (b"1" if article else b"0") + content.to_bytes(8, "big") + swapped(b64decode(keys))
        yield "HSET", self._key("pages", f"{fingerprints}:{site}"), id, page
        yield from self._at_least("number", id)

    def _load_block(self, site: str, fingerprints: int, **row: Any) -> Iterator[Command]:
        scope, key, near = f"{fingerprints}:{site}", row["key"].to_bytes(8, "big"), row["near"]
        head = pack(">IIIII", *(row[name] for name in ("articles", "others", "first", "last", "seen")))
        fingerprint = b"\0" * 9 if near is None else b"\1" + near.to_bytes(8, "big")
        sums = SUMS.pack(row["sections"], row["squares"]) if row["sections"] else b""
        yield "HSET", self._key("blocks", scope), key, head + fingerprint + sums
        if row["sample"] is not None:
            yield "HSET", self._key("samples", scope), key, row["sample"]
        if near is not None:
            self._script("file", scope, key, fingerprint[1:])

    def _load_url(self, url: str, site: str, **state: Any) -> Iterator[Command]:
        values = {
            "site": site,
            "page": state["page"],
            "first": repr(state["first_fetched"]),
            "last": repr(state["last_fetched"]),
            "modified": state["last_modified"],
            "content": f"{state['content']:016x}",
            "changes": ",".join(map(repr, state["changes"])),
            "misses": state["misses"] or None,
            **{name: state[name] for name in ("status", "etag", "reason", "visits", "version")},
        }
        text = json.dumps({name: value for name, value in values.items() if value is not None})
        yield "HSET", self._key("urls"), url, text
        yield "SADD", self._key("urls", site), url
        yield "SADD", self._key("sites"), site
        if state["version"]:
            yield "ZADD", self._key("visited", site), repr(state["last_fetched"]), url

    def _load_article(
        self, cursor: int, url: str, site: str, article: ArticleRecord | None, **entry: Any
    ) -> Iterator[Command]:
        previous = entry["previous"]
        meta = {
            "cursor": cursor,
            "site": site,
            "version": entry["version"],
            "previous": "" if previous is None else f"{previous:016x}",
            "content": f"{entry['content']:016x}",
            "digest": f"{entry['digest']:016x}",
            "recorded": repr(entry["recorded"]),
        }
        yield "HSET", self._key("meta"), url, json.dumps(meta | ({"gone": True} if article is None else {}))
        for name, record in (("texts", article), ("was", entry["was"])):
            if record is not None:
                yield "HSET", self._key(name), url, json.dumps(record)
        yield "HSET", self._key("kept"), url, swapped(b64decode(entry["kept"]))
        yield "ZADD", self._key("outbox"), cursor, url
        yield "ZADD", self._key("outbox", site), cursor, url
        yield from self._at_least("cursor", cursor)

    def _load_cursor(self, name: str, cursor: int) -> Iterator[Command]:
        yield "HSET", self._key("cursors"), name, cursor

    def _load_note(self, site: str, name: str, note: str) -> Iterator[Command]:
        yield "HSET", self._key("notes", site), name, note
        yield "SADD", self._key("noted"), site

    def _load_listed(self, name: str, site: dict[str, Any], due: float | None) -> Iterator[Command]:
        yield "HSET", self._key("listed"), name, json.dumps(site)
        if not site["paused"]:
            yield "ZADD", self._key("due"), repr(due or 0.0), name

    def _load_held(self, url: str, site: str, since: float, response: str) -> Iterator[Command]:
        yield "HSET", self._key("held"), url, json.dumps({"site": site, "since": repr(since)})
        yield "HSET", self._key("responses"), url, b64decode(response)
        yield "ZADD", self._key("holds"), 0, url
        yield "ZADD", self._key("holds", site), 0, url

    def _load_document(self, url: str, site: str, recorded: float, data: str, keys: list[int]) -> Iterator[Command]:
        self._script("sign", url, site, repr(recorded), pack(f">{len(keys)}Q", *keys), b64decode(data))
        yield from ()

    def _at_least(self, name: str, number: int) -> Iterator[Command]:
        if int(self._do("GET", self._key(name)) or 0) < number:
            self._do("SET", self._key(name), number)
        yield from ()


def sums_of(row: bytes) -> tuple[int, int]:
    """The sums at the end of a block's row; 0 where it has none.

    >>> sums_of(b"r" * 29 + SUMS.pack(14, 98)), sums_of(b"r" * 29)
    ((14, 98), (0, 0))
    """
    return SUMS.unpack_from(row, _BEFORE_SUMS) if len(row) > _BEFORE_SUMS else (0, 0)


def swapped(halves: bytes) -> bytes:
    """Keys of four bytes in the other order of bytes: Redis sorts and compares them as big-endian strings.

    >>> swapped(b"abcdefgh")
    b'dcbahgfe'
    """
    return b"".join(halves[start : start + 4][::-1] for start in range(0, len(halves), 4))
