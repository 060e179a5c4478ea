"""What two sequences have in common, in bounded time: patience anchors first, an exact look where little is left.

Texts come from pages that may be made to hurt. ``difflib`` takes a time that grows with the square, or worse, where
much repeats; here a part without anchors that is too large to be looked at exactly counts as changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

CELLS_AT_ONCE, CELLS = 90_000, 2_000_000
"""Pairs that one exact look may cost, and all of them together."""
ROUNDS = 40
"""How often each item may be looked at for anchors: texts can be made so that each look finds but one."""


@dataclass(frozen=True, slots=True)
class Part:
    """Items ``a`` to before ``a_end`` of one sequence beside ``b`` to before ``b_end`` of the other."""

    same: bool
    a: int
    a_end: int
    b: int
    b_end: int


def matched(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Part]:
    """Both sequences as parts that are the same and parts that are not, in order; together they are all of both.

    >>> [(part.same, part.a, part.a_end, part.b, part.b_end) for part in matched("abcd", "xbcdy")]
    [(False, 0, 1, 0, 1), (True, 1, 4, 1, 4), (False, 4, 4, 4, 5)]
    """
    return _parts(_pairs(a, b), len(a), len(b))


def _parts(pairs: list[tuple[int, int]], a_end: int, b_end: int) -> list[Part]:
    found: list[Part] = []
    a = b = at = 0
    while at < len(pairs):
        first = at
        while at + 1 < len(pairs) and pairs[at + 1] == (pairs[at][0] + 1, pairs[at][1] + 1):
            at += 1
        (i, j), length = pairs[first], at - first + 1
        if i > a or j > b:
            found.append(Part(False, a, i, b, j))
        a, b = i + length, j + length
        found.append(Part(True, i, a, j, b))
        at += 1
    if a < a_end or b < b_end:
        found.append(Part(False, a, a_end, b, b_end))
    return found


def _pairs(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Places of equal items, growing in both sequences."""
    found: list[tuple[int, int]] = []
    waiting = [(0, len(a), 0, len(b))]
    cells, looks = CELLS, ROUNDS * (len(a) + len(b))
    while waiting:
        low, high, left, right = waiting.pop()
        while low < high and left < right and a[low] == b[left]:
            found.append((low, left))
            low, left = low + 1, left + 1
        while low < high and left < right and a[high - 1] == b[right - 1]:
            high, right = high - 1, right - 1
            found.append((high, right))
        if low == high or left == right:
            continue
        looks -= high - low + right - left
        anchors = _anchors(a, b, low, high, left, right) if looks > 0 else []
        size = (high - low) * (right - left)
        if anchors:
            for (i, j), (k, m) in zip([(low - 1, left - 1), *anchors], [*anchors, (high, right)], strict=True):
                waiting.append((i + 1, k, j + 1, m))
            found += anchors
        elif size <= min(CELLS_AT_ONCE, cells):
            cells -= size
            found += _longest(a, b, low, high, left, right)
    return sorted(found)


def _anchors(
    a: Sequence[Hashable], b: Sequence[Hashable], low: int, high: int, left: int, right: int
) -> list[tuple[int, int]]:
    """Items that both have once, as many as stand in the same order in both."""
    in_a, in_b = Counter(a[low:high]), Counter(b[left:right])
    places = {item: place for place, item in enumerate(b[left:right], left) if in_b[item] == 1}
    pairs = [(i, places[a[i]]) for i in range(low, high) if in_a[a[i]] == 1 and a[i] in places]
    # The longest run of growing places in b, by patience sorting.
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            piles.append(number)
        else:
            tops[pile], piles[pile] = j, number
    found, number = [], piles[-1] if piles else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _longest(
    a: Sequence[Hashable], b: Sequence[Hashable], low: int, high: int, left: int, right: int
) -> list[tuple[int, int]]:
    """The longest common subsequence, by a table of all pairs."""
    width = right - left
    table = [[0] * (width + 1)]
    for i in range(high - 1, low - 1, -1):
        below, row = table[-1], [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            row[j] = below[j + 1] + 1 if a[i] == b[left + j] else max(below[j], row[j + 1])
        table.append(row)
    table.reverse()
    found, i, j = [], 0, 0
    while i < high - low and j < width:
        if a[low + i] == b[left + j]:
            found.append((low + i, left + j))
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    return found
