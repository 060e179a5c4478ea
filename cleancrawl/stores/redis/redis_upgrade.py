"""How a Redis store of an earlier version is brought up to date when it is opened.

Each step moves a part at once in the server, so several may be at it, and the next one finishes what was cut short.
Workers of the earlier version must have ended: what they write afterwards is not found.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import TypeVar

from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.stores.redis.redis_server import RedisServer

PART = 500
HASHES = 16
"""Of version 2, which one step moves: at ten million articles there were 1,800 band keys in each."""

Item = TypeVar("Item")


class RedisUpgrade(RedisServer):
    def _upgrade(self, version: int) -> None:
        if version < 2:
            self._note_visits()
        if version < 3:
            self._move_stories()
            for scope in self._scopes():
                self._move_near(scope)

    def _scopes(self) -> list[str]:
        """All sites in all versions of fingerprints that are there."""
        names = [site.decode() for site in self._do("SMEMBERS", self._key("sites"))]
        scopes = [f"{version}:{name}" for name in names for version in range(1, FINGERPRINT_VERSION + 1)]
        return sorted(scope for scope in scopes if self._do("EXISTS", self._key("pages", scope)))

    def _note_visits(self) -> None:
        """From version 1: when the pages with an article were visited. Twice is as good as once."""
        states = ((url, json.loads(text)) for url, text in self._scan(self._key("urls")))
        articles = ((url, state) for url, state in states if state["version"])
        for part in in_parts(articles, 1000):
            self._batch(*(("ZADD", self._key("visited", s["site"]), "NX", s["last"], url) for url, s in part))

    def _move_stories(self) -> None:
        """From version 2: band keys were in 65,536 hashes, too few for millions of articles, too many for hundreds."""
        for starts in in_parts(product(range(256), repeat=2), HASHES):
            self._script("move_stories", b"".join(map(bytes, starts)))

    def _move_near(self, scope: str) -> None:
        """From version 2: one hash for each of the four parts of fingerprints."""
        for number in range(4):
            for part in in_parts(self._scan(self._key(f"band{number}", scope)), PART):
                self._script("move_near", scope, number, b"".join(field for field, _ in part))


def in_parts(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """
    >>> list(in_parts("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(items)
    while part := list(islice(left, size)):
        yield part
