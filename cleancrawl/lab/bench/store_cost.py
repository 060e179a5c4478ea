"""What a store costs per page, from a thousand to ten million known blocks of one site.

python -m cleancrawl.lab.bench.store_cost [STORE …] [--most BLOCKS]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.stores.memory.block_index import BlockIndex
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Limits, PageRecord, Store, Visit

SITE = "bench.example"
BLOCKS, UNKNOWN = 150, 30
"""Blocks of a page, and how many of them are new and long: those are looked up by fingerprint too."""
SIZES = (1_000, 10_000, 100_000, 200_000)
INDEX_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
PAGES = 100
SECTION = 7
"""Of the page: every block counts as text, for which stores also keep sums over sections."""


@dataclass(frozen=True, slots=True)
class Cost:
    store: str
    blocks: int
    seen: float
    """Median microseconds of the look-up for one page."""
    quiet: float
    """The same when nothing else runs: what the quickest tenth of the look-ups stays below."""
    record: float | None = None
    """Least microseconds of the record of a page with its new blocks."""
    bytes_per_block: float | None = None


def bench_store(url: str, sizes: Sequence[int] = SIZES, pages: int = PAGES) -> Iterator[Cost]:
    """Fill one site up to each size in turn and measure there."""
    numbers = random.Random(5)
    store = open_store(url, Limits(blocks_per_site=max(sizes) + pages * len(sizes) * UNKNOWN + BLOCKS))
    name = url.partition(":")[0]
    known: list[int] = []
    page = 0
    try:
        for size in sizes:
            while len(known) < size:
                page += 1
                keys = [numbers.getrandbits(64) for _ in range(min(BLOCKS, size - len(known)))]
                store.record(_record(page, keys, numbers))
                known += keys
            yield _measure(store, name, size, known, numbers, pages)
    finally:
        store.forget(SITE)
        store.close()


def _measure(store: Store, name: str, size: int, known: list[int], numbers: random.Random, pages: int) -> Cost:
    seen, record = [], []
    for page in range(pages):
        keys = numbers.sample(known, BLOCKS - UNKNOWN) + [numbers.getrandbits(64) for _ in range(UNKNOWN)]
        url, prints = f"https://{SITE}/new/{size}/{page}", _prints(keys, numbers)
        start = time.perf_counter()
        found = store.seen(SITE, url, prints)
        seen.append(time.perf_counter() - start)
        # A page at the size of a real one is recorded; its new blocks stay below a hundredth of the size.
        if page < pages // 10:
            visit = Visit(SITE, url, 1e9)
            start = time.perf_counter()
            store.record(PageRecord(visit, prints, 0, [0] * BLOCKS, found))
            record.append(time.perf_counter() - start)
    return Cost(name, size, 1e6 * median(seen), 1e6 * _tenth(seen), 1e6 * min(record))


def _prints(keys: list[int], numbers: random.Random) -> Prints:
    nears = [numbers.getrandbits(64) if place >= BLOCKS - UNKNOWN else None for place in range(len(keys))]
    return Prints(keys, lambda indices: [nears[i] for i in indices], ["x" * 60] * len(keys), [SECTION] * len(keys))


def _record(page: int, keys: list[int], numbers: random.Random) -> PageRecord:
    nears = [numbers.getrandbits(64) for _ in keys]
    prints = Prints(keys, lambda indices: [nears[i] for i in indices], sections=[SECTION] * len(keys))
    return PageRecord(Visit(SITE, f"https://{SITE}/{page}", 1e9), prints, 0, [0] * len(keys))


def bench_index(sizes: Sequence[int] = INDEX_SIZES, pages: int = PAGES) -> Iterator[Cost]:
    """The index of a store in memory alone, far beyond the most that a store keeps of one site."""
    generator = np.random.default_rng(5)
    for size in sizes:
        index = BlockIndex()
        keys, nears = (generator.integers(0, 2**64, size, dtype=np.uint64) for _ in range(2))
        index.add_columns(keys, nears, np.ones(size, dtype=np.bool_), True, 1, 0)
        spent = []
        for _ in range(pages):
            asked = np.concatenate([generator.choice(keys[: 10**6], BLOCKS - UNKNOWN), _random(generator)])
            fingerprints = _random(generator).tolist()
            start = time.perf_counter()
            index.sightings(index.find(asked))
            index.find_near(fingerprints)
            spent.append(time.perf_counter() - start)
        yield Cost("index", size, 1e6 * median(spent), 1e6 * _tenth(spent), bytes_per_block=index.nbytes / size)


def _tenth(seconds: Sequence[float]) -> float:
    return sorted(seconds)[len(seconds) // 10]


def _random(generator: np.random.Generator) -> NDArray[np.uint64]:
    return generator.integers(0, 2**64, UNKNOWN, dtype=np.uint64)


def table(costs: Iterator[Cost], show: Callable[[str], object] = print) -> None:
    """Line by line, as soon as a line is known."""
    show("| store | blocks of the site | µs per look-up | quickest tenth | µs per record, least | bytes each |")
    show("| --- | ---: | ---: | ---: | ---: | ---: |")
    for cost in costs:
        record = "" if cost.record is None else f"{cost.record:,.0f}"
        size = "" if cost.bytes_per_block is None else f"{cost.bytes_per_block:.0f}"
        show(f"| `{cost.store}` | {cost.blocks:,} | {cost.seen:,.0f} | {cost.quiet:,.0f} | {record} | {size} |")


def run(urls: Sequence[str], most: int, show: Callable[[str], object] = print) -> None:
    """All stores up to the cap, then the index in memory up to ``most`` blocks."""
    with tempfile.TemporaryDirectory() as directory:

        def costs() -> Iterator[Cost]:
            for url in urls or ("memory:", f"sqlite:///{directory}/bench.db"):
                yield from bench_store(url, [size for size in SIZES if size <= most])
            yield from bench_index([size for size in INDEX_SIZES if size <= most])

        table(costs(), show)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m cleancrawl.lab.bench.store_cost", description=__doc__)
    parser.add_argument("stores", nargs="*", metavar="STORE", help="default: memory: and a new SQLite file")
    parser.add_argument(
        "--most", type=int, default=200_000, metavar="N", help="blocks of a site (default: %(default)s)"
    )
    args = parser.parse_args(arguments)
    run(args.stores, args.most, lambda line: print(line, flush=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
