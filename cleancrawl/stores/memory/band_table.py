"""Band key → article numbers, for tens of millions of articles in memory: 12 bytes per key."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

_RECENT = 1 << 16
_LARGEST_MERGE = 1 << 24
"""Entries of a run that is merged no more: bounds the pause of a merge to about a second."""

SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
Run = tuple[NDArray[np.uint64], NDArray[np.uint32]]


class BandTable:
    """Sorted runs that double in size, and a dictionary of what came since: a look-up is a few binary searches.

    A Python dictionary of 120 million keys would take about ten times the memory.
    """

    def __init__(self) -> None:
        self._recent: dict[int, list[int]] = {}
        self._pending = 0
        self._runs: list[Run] = []

    def add(self, keys: Sequence[int], number: int) -> None:
        """Remember that the article of this number has these keys."""
        for key in keys:
            self._recent.setdefault(key, []).append(number)
        self._pending += len(keys)
        if self._pending >= _RECENT:
            self._flush()

    def find(self, keys: Sequence[int], most: int, alive: Container[int]) -> list[int]:
        """The numbers that share a key, ascending, each once; of each key the ``most`` first that are alive.

        >>> table = BandTable()
        >>> table.add([5, 7], 1)
        >>> table.add([7, 9], 2)
        >>> table.find([7, 8], 9, {1, 2}), table.find([7], 9, {2}), table.find([7, 9], 1, {1, 2})
        ([1, 2], [2], [1, 2])
        """
        found: set[int] = set()
        for key in keys:
            found.update(islice((number for number in self._numbers(key, most) if number in alive), most))
        return sorted(found)

    def _numbers(self, key: int, step: int) -> Iterator[int]:
        """Ascending: what is in a later run came later."""
        for run_keys, numbers in self._runs:
            start, end = (int(np.searchsorted(run_keys, np.uint64(key), side=side)) for side in SIDES)
            for first in range(start, end, step):
                yield from numbers[first : min(first + step, end)].tolist()
        yield from self._recent.get(key, ())

    @property
    def bytes(self) -> int:
        """Memory of the runs."""
        return sum(keys.nbytes + numbers.nbytes for keys, numbers in self._runs)

    def _flush(self) -> None:
        keys = np.array([key for key, numbers in self._recent.items() for _ in numbers], dtype=np.uint64)
        numbers = np.array([number for numbers in self._recent.values() for number in numbers], dtype=np.uint32)
        self._recent, self._pending = {}, 0
        run = _sorted(keys, numbers)
        while self._runs and len(run[0]) >= len(self._runs[-1][0]) and 2 * len(run[0]) <= _LARGEST_MERGE:
            last = self._runs.pop()
            run = _sorted(np.concatenate([last[0], run[0]]), np.concatenate([last[1], run[1]]))
        self._runs.append(run)


def _sorted(keys: NDArray[np.uint64], numbers: NDArray[np.uint32]) -> Run:
    order = np.argsort(keys, kind="stable")
    return keys[order], numbers[order]
