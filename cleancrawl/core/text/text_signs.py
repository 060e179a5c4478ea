"""Which of many short texts hold one of some strings: few of them do."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

from cleancrawl.core.native import compiled

_BY_FREQUENCY = " etaoinsrhldcumfpgwybvkxjqz"
"""Letters of European languages, the most frequent first; what is none of them is rarer."""


class TextSigns(Protocol):
    """Strings to look for."""

    def holding(self, texts: list[str]) -> list[int]:
        """The numbers of the texts that hold one of the strings, in order."""


class SignsInPython:
    """Texts are joined by null characters, and searched all at once.

    >>> SignsInPython([",", "c"]).holding(["a, b", "c", "d"])
    [0, 1]
    """

    def __init__(self, signs: Sequence[str]) -> None:
        """None of the strings has a null character."""
        self.signs = tuple(signs)

    def holding(self, texts: list[str]) -> list[int]:
        joined, ends, found = "\0".join(texts), list[int](), set[int]()
        for sign in self.signs:
            place = joined.find(sign)
            while place >= 0:
                ends = ends or list(accumulate(len(text) + 1 for text in texts))
                index = bisect_right(ends, place)
                found.add(index)
                place = joined.find(sign, ends[index])
        return sorted(found)


_part = compiled("text_signs")


def text_signs(signs: Sequence[str]) -> TextSigns:
    """Make them once: compiled, each is filed under its rarest character.

    >>> text_signs(["©", "(c)"]).holding(["© 2026", "news", "(c) us"])
    [0, 2]
    """
    if _part is None:
        return SignsInPython(signs)
    made: TextSigns = _part.TextSigns(signs, [_rarest(sign) for sign in signs])
    return made


def _rarest(sign: str) -> int:
    """The place of the character that other texts have least.

    >>> _rarest("copyright"), _rarest("všechna")
    (3, 1)
    """
    return max(range(len(sign)), key=lambda place: _rarity(sign[place]))


def _rarity(character: str) -> int:
    place = _BY_FREQUENCY.find(character)
    return place if place >= 0 else len(_BY_FREQUENCY) + ord(character)
