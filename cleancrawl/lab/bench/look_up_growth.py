"""How the look-up of one article among many grows with their number."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from cleancrawl.core.fingerprints.article_signature import BANDS, HASHES, similarity
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.stores.dump_rows import make_row
from cleancrawl.stores.memory.band_table import BandTable
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.page_rules import SHARERS

_LOOK_UPS = 300
_CHUNK = 10_000
_SQLITE_MOST = 1_000_000
"""A SQLite store of more articles takes this measurement an hour."""


def report(pages: Sequence[GoldPage], recipe: str, count: int) -> str:
    """The table of ``cleancrawl bench --growth``: made-up fingerprints, each look-up one of a known article."""
    lines = [
        "| articles | store | median look-up | 95th percentile | size |",
        "| ---: | --- | ---: | ---: | ---: |",
    ]
    steps = [10**power for power in range(4, 10) if 10**power <= count] or [count]
    with tempfile.TemporaryDirectory() as directory:
        lines += measure_sqlite([step for step in steps if step <= _SQLITE_MOST], Path(directory) / "growth.db")
    lines += measure_memory(steps)
    return "\n".join(lines)


def made_up(start: int, count: int) -> tuple[Any, Any]:
    """Band keys and data of the articles from a number on, the same every time."""
    chance = np.random.default_rng(start)
    keys = chance.integers(0, 1 << 63, (count, BANDS), dtype=np.uint64)
    return keys, chance.integers(0, 1 << 16, (count, HASHES), dtype=np.uint16)


def measure_sqlite(steps: Sequence[int], path: Path) -> list[str]:
    store = open_store(f"sqlite:///{path}")
    lines, filled = [], 0
    for step in steps:
        for start in range(filled, step, _CHUNK):
            store.load(_rows(start, min(_CHUNK, step - start)))
        filled = step

        def look_up(keys: list[int], data: bytes) -> bool:
            return any(similarity(data, found.data) == 1.0 for found in store.candidates(keys))

        lines.append(_line(step, "SQLite", *time_look_ups(step, look_up), path.stat().st_size))
    store.close()
    return lines


def _rows(start: int, count: int) -> Iterator[dict[str, Any]]:
    keys, data = made_up(start, count)
    for row in range(count):
        packed = base64.b64encode(data[row].tobytes()).decode()
        yield make_row("document", f"https://example.com/{start + row}", "example.com", 0.0, packed, keys[row].tolist())


def measure_memory(steps: Sequence[int]) -> list[str]:
    """The band table, with the fingerprints' data in one array beside it."""
    table, lines, filled = BandTable(), [], 0
    store = np.zeros((steps[-1], HASHES), dtype=np.uint16)
    for step in steps:
        for start in range(filled, step, _CHUNK):
            keys, data = made_up(start, min(_CHUNK, step - start))
            store[start : start + len(data)] = data
            for row, row_keys in enumerate(keys.tolist()):
                table.add(row_keys, start + row)
        filled = step

        def look_up(keys: list[int], data: bytes) -> bool:
            found = table.find(keys, SHARERS, range(len(store)))
            return any(similarity(data, store[number].tobytes()) == 1.0 for number in found)

        lines.append(_line(step, "memory", *time_look_ups(step, look_up), table.bytes + store[:step].nbytes))
    return lines


def time_look_ups(articles: int, look_up: Callable[[list[int], bytes], bool]) -> tuple[float, float]:
    """Median and 95th percentile over articles from everywhere in the table."""
    times: list[float] = []
    start, keys, data = -1, np.empty(0), np.empty(0)
    for number in np.linspace(0, articles - 1, _LOOK_UPS).astype(int).tolist():
        if start != number - number % _CHUNK:
            start = number - number % _CHUNK
            keys, data = made_up(start, min(_CHUNK, articles - start))
        wanted, wanted_data = keys[number - start].tolist(), data[number - start].tobytes()
        begin = perf_counter()
        found = look_up(wanted, wanted_data)
        times.append(perf_counter() - begin)
        if not found:
            raise RuntimeError(f"article {number} of {articles} is not found")
    median, high = np.percentile(times, [50, 95]).tolist()
    return median, high


def _line(articles: int, store: str, median: float, high: float, size: int) -> str:
    return f"| {articles:,} | {store} | {median * 1e3:.2f} ms | {high * 1e3:.2f} ms | {size / 1e6:,.0f} MB |"
