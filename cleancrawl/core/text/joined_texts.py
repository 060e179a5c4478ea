"""Many short texts as one, for what few of them hold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate


class Joined:
    """Texts, joined by null characters: what only some of them hold is searched for in all of them at once.

    >>> texts = Joined(["a, b", "c", "d, e, f"])
    >>> texts.holding(["e"]), texts.holding(",c")
    ([2], [0, 1, 2])
    """

    __slots__ = ("_ends", "_lengths", "text")

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = "\0".join(texts)
        self._lengths = map(len, texts)
        self._ends: list[int] = []

    def holding(self, parts: Iterable[str]) -> list[int]:
        """The numbers of the texts that hold one of some strings, in order; these have no null characters."""
        found = set()
        for part in parts:
            place = self.text.find(part)
            while place >= 0:
                index, end = self._text_at(place)
                found.add(index)
                place = self.text.find(part, end)
        return sorted(found)

    def _text_at(self, place: int) -> tuple[int, int]:
        """The number of the text at a place, and where the next one begins."""
        if not self._ends:
            self._ends = list(accumulate(length + 1 for length in self._lengths))
        index = bisect_right(self._ends, place)
        return index, self._ends[index]
