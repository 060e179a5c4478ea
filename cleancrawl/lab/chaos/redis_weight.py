"""What a Redis store weighs: bytes by table, and ballast in the tables that all sites share."""

from __future__ import annotations

from collections import Counter

from cleancrawl.stores.redis.redis_store import RedisStore

BANDS = 12
"""Band keys of an article."""
ARTICLES_AT_ONCE, HASHES_AT_ONCE = 2_000, 500
SHARE = 60
"""Band keys in one small hash, below the number at which the store would go on dividing them."""

ROWS = """
local prefix, first, last = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local urls, states, outbox = {}, {}, {}
for number = first, last do
    local url, at = 'https://ballast.example/2026/11/' .. number, 2 * (number - first) + 1
    local time = '18' .. string.format('%08d', number) .. '.0'
    urls[at], urls[at + 1] = url, ''
    states[at], states[at + 1] = url, cjson.encode({
        site = 'ballast.example', page = number, first = time, last = time, status = 200, etag = '"' .. number .. '"',
        content = string.format('%016x', number), version = 1, visits = 1, changes = time})
    outbox[at], outbox[at + 1] = number, url
end
redis.call('HSET', prefix .. 'urls', unpack(states))
for _, name in ipairs({'meta', 'texts', 'kept'}) do redis.call('HSET', prefix .. name, unpack(urls)) end
redis.call('ZADD', prefix .. 'outbox', unpack(outbox))
for _, name in ipairs({'cursor', 'number'}) do redis.call('SET', prefix .. name, last) end
"""
STORIES = """
local prefix, first, last, hashes, each = KEYS[1], unpack(ARGV)
if first == '0' then
    for place = 0, each - 1 do
        local key = struct.pack('>I4I4', place * 2654435761 % 4294967296, hashes * place)
        redis.call('HSET', prefix .. 'stories:0', key, struct.pack('>I4', 1 + place))
    end
    redis.call('HSET', prefix .. 'tables', 'stories', struct.pack('>I4I4', hashes * each, hashes))
end
for number = math.max(1, first), last do redis.call('COPY', prefix .. 'stories:0', prefix .. 'stories:' .. number) end
"""
"""Both are made in the server itself, the hashes of band keys as copies of the first: a client that records pages would
be at it for hours. The keys are such that each hash divides evenly, as chance would have it."""


def add_ballast(store: RedisStore, articles: int) -> None:
    """So many articles for the tables that all sites share, into an empty store.

    Their states, band keys and places in the outbox are whole; the rows of entries, texts and verdicts are empty.
    """
    if not articles:
        return
    rows, stories = (store._redis.register_script(text) for text in (ROWS, STORIES))
    for first in range(1, articles + 1, ARTICLES_AT_ONCE):
        rows(keys=[store.prefix], args=[first, min(first + ARTICLES_AT_ONCE - 1, articles)])
    hashes = 1
    while BANDS * articles > SHARE * hashes:
        hashes *= 2
    each = -(-BANDS * articles // hashes)
    for first in range(0, hashes, HASHES_AT_ONCE):
        last = min(first + HASHES_AT_ONCE, hashes) - 1
        stories(keys=[store.prefix], args=[first, last, hashes, each])


def weights(store: RedisStore) -> Counter[str]:
    """Bytes by the first part of the keys' names, as the server counts them."""
    found: Counter[str] = Counter()
    for key in store._redis.scan_iter(match=store.prefix + "*", count=1000):
        name, *rest = key.decode("utf-8", "replace").removeprefix(store.prefix).split(":")
        found[name + (":…" if rest else "")] += store._redis.memory_usage(key, samples=0)
    return found
