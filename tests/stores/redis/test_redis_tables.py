"""The tables of short values in a Redis store: many small hashes that divide as they grow."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cleancrawl.stores.protocol import PageRecord, Signature, Visit
from cleancrawl.stores.redis.redis_store import RedisStore
from tests.stores.pages import FOOTER, NOON, SITE, article_of, prints_of, story, url_of

ARTICLES = 60


@pytest.fixture
def store(redis_url: str) -> Iterator[RedisStore]:
    store = RedisStore(redis_url)
    yield store
    store.close()


def keys_of(number: int) -> tuple[int, ...]:
    chance = random.Random(number)
    return tuple(chance.getrandbits(63) for _ in range(12))


def fill(store: RedisStore, articles: int = ARTICLES) -> None:
    for number in range(articles):
        prints = prints_of(*story(number), FOOTER)
        visit = Visit(SITE, url_of(number), NOON + number)
        signature = Signature(keys_of(number), b"data%d" % number)
        article = article_of(f"Story {number}")
        store.record(PageRecord(visit, prints, number + 1, [9] * len(prints.exact), None, article, signature))


def hashes_of(store: RedisStore, name: str) -> dict[bytes, dict[bytes, bytes]]:
    return {key: store._redis.hgetall(key) for key in store._redis.scan_iter(match=f"{store.prefix}{name}:*")}


def counts_of(store: RedisStore, name: str) -> tuple[int, int]:
    entries, hashes = struct.unpack(">II", store._redis.hget(store.prefix + "tables", name))
    return entries, hashes


def tables_of(store: RedisStore) -> list[str]:
    return sorted(name.decode() for name in store._redis.hkeys(store.prefix + "tables"))


def found(store: RedisStore, number: int) -> list[str]:
    return [candidate.url for candidate in store.candidates(keys_of(number))]


def near(store: RedisStore, number: int) -> int:
    """On how many pages a text much like one of this story was seen."""
    prints = prints_of(story(number)[0], *story(10_000 + number))
    prints = replace(prints, exact=[prints.exact[0] ^ 1, *prints.exact[1:]])
    return store.seen(SITE, url_of("new"), prints).pages[0]


def test_hashes_divide_and_nothing_is_lost(store: RedisStore) -> None:
    fill(store)
    for name in tables_of(store):
        entries, hashes = counts_of(store, name)
        there = hashes_of(store, name)
        assert entries == sum(map(len, there.values())) > 0
        assert 1 < hashes == len(there), name
        # As small as Redis needs them for its compact form.
        assert max(map(len, there.values())) < 512
    assert tables_of(store)[1:] == ["stories"]
    assert all(found(store, number) == [url_of(number)] for number in range(ARTICLES))
    assert all(near(store, number) == 1 for number in range(ARTICLES))


def test_what_is_dropped_leaves_no_entry(store: RedisStore) -> None:
    fill(store)
    assert store.prune(2 * NOON) > 0
    near_table, stories = tables_of(store)
    assert (counts_of(store, near_table)[0], hashes_of(store, near_table)) == (0, {})
    for number in range(ARTICLES):
        store.withdraw(url_of(number), NOON)
    assert (counts_of(store, stories)[0], hashes_of(store, stories)) == (0, {})
    fill(store, 3)
    assert (found(store, 2), found(store, 5)) == ([url_of(2)], [])


def test_a_forgotten_site_leaves_no_table(store: RedisStore) -> None:
    fill(store)
    store.forget(SITE)
    assert tables_of(store) == ["stories"]
    assert [key for key in store._redis.scan_iter(match=f"{store.prefix}*") if b"near" in key] == []
    assert hashes_of(store, "stories") == {}


def as_version_2(store: RedisStore) -> None:
    """Put all entries back into the hashes where they used to be."""
    near_table, stories = tables_of(store)
    scope = near_table.removeprefix("near:")
    for key, entries in hashes_of(store, near_table).items():
        for field, filed in entries.items():
            store._redis.hset(f"{store.prefix}band{field[0]}:{scope}", field[1:], filed)
        store._redis.delete(key)
    for key, entries in hashes_of(store, stories).items():
        for field, numbers in entries.items():
            store._redis.hset(f"{store.prefix}signatures:".encode() + field[:2], field, numbers)
        store._redis.delete(key)
    store._redis.delete(store.prefix + "tables")
    store._redis.set(store.prefix + "version", 2)


def test_a_store_of_version_2_is_moved(store: RedisStore, redis_url: str) -> None:
    fill(store)
    before = {name: counts_of(store, name)[0] for name in tables_of(store)}
    as_version_2(store)
    assert found(store, 5) == []
    # A second one opens it when the first one was killed half-way.
    store._script("move_stories", bytes(range(256)))
    opened = RedisStore(redis_url)
    assert store._redis.get(store.prefix + "version") == b"3"
    assert {name: counts_of(opened, name)[0] for name in tables_of(opened)} == before
    assert all(found(opened, number) == [url_of(number)] for number in range(ARTICLES))
    assert all(near(opened, number) == 1 for number in range(ARTICLES))
    assert not any(re.search(b":(band.|signatures):", key) for key in store._redis.scan_iter(match=f"{store.prefix}*"))
    opened.close()
