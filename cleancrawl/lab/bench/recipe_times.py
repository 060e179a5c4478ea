"""Time per page of every recipe and its growth with the page, as ratios to lxml's bare parse in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import log
from statistics import linear_regression

import numpy as np

from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.peers import Source, bare_parse, recipe_extractor
from cleancrawl.lab.bench.text_tables import markdown_table, ratio
from cleancrawl.recipes import RECIPES

ROUNDS = 3
CLASSES = 4
"""As many classes of pages by size, of equal numbers."""
PAPERS = {
    "site-template": "8, 6, 3 s for the clustering of 10 pages",
}


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """Processor time: the least of three rounds on each page, in which the recipes take turns."""
    sources = sorted((Source(page.html(), page.url) for page in pages), key=lambda source: len(source.html))
    extractors = [bare_parse(), *map(recipe_extractor, dict.fromkeys([recipe, *RECIPES]))]
    times = {extractor.name: np.full(len(sources), np.inf) for extractor in extractors}
    for extractor in extractors:
        extractor.extract(sources[0])  # what is loaded on first use
    for _ in range(ROUNDS):
        for number, source in enumerate(sources):
            for extractor in extractors:
                taken = timed(lambda run=extractor.extract, given=source: run(given))  # type: ignore[misc]
                times[extractor.name][number] = min(times[extractor.name][number], taken)
    sizes = [len(source.html) for source in sources]
    return table(sizes, {name: list(map(float, found)) for name, found in times.items()})


def timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def table(sizes: Sequence[int], times: dict[str, list[float]]) -> str:
    """The first of ``times`` is what the others are ratios to."""
    classes = [list(part) for part in np.array_split(np.arange(len(sizes)), min(CLASSES, len(sizes)))]
    base = next(iter(times))
    rows = []
    for name, found in times.items():
        ratios = [
            ratio(sum(found[page] for page in part) / sum(times[base][page] for page in part)) for part in classes
        ]
        whole = ratio(sum(found) / sum(times[base]))
        milliseconds = f"{1000 * sum(found) / len(found):.2f}"
        rows.append([name, milliseconds, whole, *ratios, f"{growth(sizes, found):.2f}", PAPERS.get(name, "–")])
    spans = [f"{sizes[part[0]] / 1000:.0f}–{sizes[part[-1]] / 1000:.0f} KB" for part in classes]
    return markdown_table(
        [f"{len(sizes)} pages", "ms/page", f"× {base}", *spans, "grows with size to the", "the paper's own"], rows
    )


def growth(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The power of its size that the time of a page grows with, by least squares: 1 is linear.

    >>> round(growth([10, 100, 1000], [0.1, 1.0, 10.0]), 2), round(growth([10, 100, 1000], [1.0, 100.0, 10000.0]), 2)
    (1.0, 2.0)
    """
    known = [(log(size), log(taken)) for size, taken in zip(sizes, times, strict=True) if size and taken > 0]
    if len({size for size, _ in known}) < 2:
        return 0.0
    return linear_regression([size for size, _ in known], [taken for _, taken in known]).slope
