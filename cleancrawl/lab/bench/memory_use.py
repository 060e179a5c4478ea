"""Whether memory stays flat over many pages."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from cleancrawl.cleaner import clean
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.text_tables import markdown_table
from cleancrawl.recipes import get_recipe

_STATM = Path("/proc/self/statm")
_ROWS = 10


def report(pages: Sequence[GoldPage], recipe: str, count: int) -> str:
    """Resident memory after each tenth of ``count`` pages, the given ones again and again."""
    rows = [[f"{done:,}", f"{megabytes:.1f}"] for done, megabytes in measure(pages, recipe, count)]
    return markdown_table(["pages cleaned", "resident MB"], rows)


def measure(pages: Sequence[GoldPage], recipe: str, count: int) -> Iterator[tuple[int, float]]:
    """How many pages were cleaned, and the resident memory at that point."""
    chosen = get_recipe(recipe)
    step = max(1, count // _ROWS)
    yield 0, resident_megabytes()
    for done, page in enumerate(islice(cycle(pages), count), start=1):
        _ = clean(page.read(), page.url, chosen).text
        if done % step == 0:
            yield done, resident_megabytes()


def resident_megabytes() -> float:
    """Resident memory of this process; its peak where the system tells no more.

    >>> resident_megabytes() > 1
    True
    """
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
