"""What is measured runs without the tracer of coverage: that costs more than the work, and memory of its own."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from coverage import Coverage


@contextmanager
def uncovered() -> Iterator[None]:
    """Lines that run in here do not count as covered: other tests run them, or what is measured was run once before."""
    stopped = list[Coverage]()
    # A worker of pytest-xdist has two, of which the first goes on where the second stops.
    while tracing := Coverage.current():
        tracing.stop()
        stopped.append(tracing)
    try:
        yield
    finally:
        for tracing in reversed(stopped):
            tracing.start()


def peak_memory(work: Callable[[], object]) -> int:
    """Bytes of Python's own memory that some work takes at most: no other process and no machine has a say in it."""
    with uncovered():
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
