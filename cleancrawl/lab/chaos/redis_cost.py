"""What Redis costs for each page: round trips, bytes and microseconds, by how many articles there are.

    python -m cleancrawl.lab.chaos.redis_cost --articles 1000,100000

Fills a real server with simulated articles (2 kB of text, 40 blocks, of which 25 recur on their site, and a signature),
and then does for some more pages what a crawl does for each: state, look-up, same story elsewhere, record. Processor
time of the server and of the client (the making of the simulated page included), and the quickest tenth of each kind of
call.

``--ballast N`` first puts N articles into the tables that all sites share: their states, places in the outbox and
twelve band keys each are whole, their entries, texts and verdicts are empty rows. So each page is looked for among as
many keys as N articles have, in a sixth of the memory. What depends on the size of one site's own tables is not part of
it, nor are the signatures that are compared where a band key was found.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.page import Known
from cleancrawl.lab.chaos.redis_here import RedisHere
from cleancrawl.lab.chaos.redis_weight import BANDS, add_ballast, weights
from cleancrawl.stores.listed_sites import ListedSite
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Signature, Visit
from cleancrawl.stores.redis.redis_server import script_text
from cleancrawl.stores.redis.redis_store import RedisStore

BLOCKS, COMMON = 40, 25
PAGES_PER_SITE = 1_000
MEASURED = 300
TEXT = 2_000
LOOKS = 100
AT_ONCE = 200
KINDS = ("state", "look-up", "same story", "record")


def simulated(number: int) -> tuple[PageRecord, Signature]:
    """The page of this number, always the same."""
    site, chance = f"site{number // PAGES_PER_SITE:06}.example", random.Random(number)
    common = [hash((site, block)) & (1 << 64) - 1 for block in range(COMMON)]
    keys = common + [chance.getrandbits(64) for _ in range(BLOCKS - COMMON)]
    nears = [chance.getrandbits(64) if place >= COMMON else None for place in range(BLOCKS)]
    prints = Prints(keys, lambda places: [nears[place] for place in places], ["x" * 100] * BLOCKS)
    signature = Signature(tuple(chance.getrandbits(64) for _ in range(BANDS)), chance.randbytes(64))
    article = {"title": f"Title {number}", "text": f"{number} " + chance.randbytes(TEXT // 2).hex()}
    words = [0] * COMMON + [20] * (BLOCKS - COMMON)
    visit = Visit(site, f"https://{site}/2026/11/{number}", 1.8e9 + number, etag=f'"{number}"')
    return PageRecord(visit, prints, chance.getrandbits(64), words, None, article, signature), signature


class Cost:
    """Counts what goes over the connection, and the time that each kind of call takes."""

    def __init__(self, store: RedisStore) -> None:
        self.store = store
        self.seconds: dict[str, list[float]] = {}
        self.now = ""
        call = store._call

        def counted(work: Callable[[], Any]) -> Any:
            began = time.perf_counter()
            try:
                return call(work)
            finally:
                self.seconds.setdefault(self.now, []).append(time.perf_counter() - began)

        store._call = counted  # type: ignore[method-assign]

    def page(self, number: int) -> None:
        record, signature = simulated(number)
        visit = record.visit
        self.now = "state"
        self.store.page_states([visit.url])
        self.now = "look-up"
        known = self.store.seen(visit.site, visit.url, record.prints)
        self.now = "same story"
        self.store.candidates(signature.keys)
        self.now = "record"
        self.store.record(
            PageRecord(visit, record.prints, record.content, record.words, known, record.article, signature)
        )


class Filling(RedisStore):
    """Sends records many at a time, without waiting for each answer."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._sent = self._redis.pipeline(transaction=False)
        self._digest = self._redis.script_load(script_text("record"))

    def _script(self, name: str, *values: bytes | str | float) -> Any:
        self._sent.evalsha(self._digest, 1, self.prefix, *values)
        if len(self._sent) >= AT_ONCE:
            self._sent.execute()
        return 1, b"", 1, 0

    def fill(self, first: int, last: int) -> None:
        unknown = Known([0] * BLOCKS, 1, [()] * BLOCKS)
        for number in range(first, last):
            page, signature = simulated(number)
            self.record(PageRecord(page.visit, page.prints, page.content, page.words, unknown, page.article, signature))
        self._sent.execute()


def report(store: RedisStore, articles: int, before_all: int) -> str:
    cost = Cost(store)
    before, own = store._redis.info(), time.process_time()
    for number in range(articles, articles + MEASURED):
        cost.page(number)
    own = (time.process_time() - own) / MEASURED * 1e6
    after = store._redis.info()

    def grown(*names: str) -> float:
        return float(sum(after[name] - before[name] for name in names)) / MEASURED

    server = grown("used_cpu_user", "used_cpu_sys") * 1e6
    trips = sum(map(len, cost.seconds.values())) / MEASURED
    moved = f"{grown('total_net_input_bytes'):>8,.0f} {grown('total_net_output_bytes'):>8,.0f}"
    quickest = "".join(f" {_quickest_tenth(cost.seconds[name]) * 1e6:>10,.0f}" for name in KINDS)
    size = (after["used_memory"] - before_all) / (articles + MEASURED)
    return f"{articles:>10,} {trips:>6.1f} {moved} {server:>10,.0f} {own:>10,.0f} {quickest} {size:>10,.0f}"


def _quickest_tenth(seconds: list[float]) -> float:
    """What a call takes where nothing else is in its way."""
    return sorted(seconds)[len(seconds) // 10]


HEAD = (
    "  articles  trips   sent B    got B  µs server  µs client       state    look-up same story     record  B/article"
)


def lease_cost(store: RedisStore, sites: int) -> str:
    """What holding sites costs: a take, a sign of life and a return, for each site."""
    for number in range(sites):
        store.list_site(ListedSite(f"s{number}.example", (f"https://s{number}.example/",), {}, 3600.0))
    began = time.perf_counter()
    leases = store.take_sites("one", sites, 1000.0)
    taken = time.perf_counter()
    store.renew_leases("one", [(lease.fence, 1.0) for lease in leases], 1000.0)
    renewed = time.perf_counter()
    for _ in range(LOOKS):
        store.take_sites("two", 4, 1000.0)
    idle = time.perf_counter()
    each = 1e6 / max(1, len(leases))
    return (
        f"{len(leases):,} sites: take {(taken - began) * each:.0f} µs, sign of life {(renewed - taken) * each:.0f} µs"
        f" each; a look in vain {(idle - renewed) / LOOKS * 1e6:.0f} µs"
    )


def ballast_line(articles: int, memory: dict[str, int]) -> str:
    used, resident = memory["used_memory"] / 1e9, memory["used_memory_rss"] / 1e9
    return f"beside {articles:,} articles without texts: {used:.2f} GB of data, {resident:.2f} GB of memory"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--articles", default="1000,10000")
    parser.add_argument("--durable", action="store_true", help="with the append-only file, written before each answer")
    parser.add_argument("--ballast", type=int, default=0, help="articles without texts beside them")
    parser.add_argument("--sites", default="300", help="for the cost of leases; several with commas between them")
    parser.add_argument("--tables", action="store_true", help="at the end, the bytes of each table per article")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="cost-") as directory:
        redis = RedisHere(Path(directory), durable=options.durable).start()
        store = open_store(redis.url)
        assert isinstance(store, RedisStore)
        try:
            for sites in map(int, options.sites.split(",")):
                print(lease_cost(store, sites), flush=True)
                store._redis.flushall()
            add_ballast(store, options.ballast)
            memory = store._redis.info("memory")
            if options.ballast:
                print(ballast_line(options.ballast, memory), flush=True)
            print(HEAD, flush=True)
            done = 0
            for articles in sorted(map(int, options.articles.split(","))):
                Filling(redis.url).fill(done, articles)
                print(report(open_again(redis.url), articles, memory["used_memory"]), flush=True)
                done = articles + MEASURED
            if options.tables:
                for name, size in weights(store).most_common():
                    print(f"{name:<20} {size / done:>10,.1f} B/article")
        finally:
            store.close()
            redis.kill()
    return 0


def open_again(url: str) -> RedisStore:
    store = open_store(url)
    assert isinstance(store, RedisStore)
    return store


if __name__ == "__main__":
    sys.exit(main())
