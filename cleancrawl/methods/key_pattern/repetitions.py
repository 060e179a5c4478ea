"""METHODS D3–D4 on sequences of tags: repetitions, key patterns, and the virtual nodes that they cut.

Repetitions are read off a suffix array (prefix doubling, O(n log² n)) and its common prefixes (O(n)); the key patterns
are disjoint intervals of it, so all their occurrences together are at most n.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np


@dataclass(frozen=True, slots=True)
class KeyPattern:
    """A repetition that no longer repetition contains: ``length`` tags from each of the ``positions``."""

    length: int
    positions: tuple[int, ...]
    """Where it occurs, in order; the starts of whole runs for a pattern of one repeated tag."""
    run_lengths: tuple[int, ...] = ()
    """For a pattern of one repeated tag: how long each of those runs is."""

    @property
    def frequency(self) -> int:
        """Occurrences that do not overlap."""
        if self.run_lengths:
            return sum(run // self.length for run in self.run_lengths)
        return len(_apart(self.positions, self.length))


def key_patterns(tags: Sequence[str], *, overlap: bool = False) -> list[KeyPattern]:
    """The key patterns of a sequence, longest first, then the more frequent, then the earlier.

    ``overlap`` is the letter of D3: only a pattern of one repeated tag may not overlap itself, so a list of pairs
    ``a b a b a b a b`` holds ``a b a b``. Otherwise a pattern that overlaps itself is cut to its period, ``a b``.

    >>> [tags[p.positions[0]:][:p.length] for tags in ["ABCABD"] for p in key_patterns(tags)]
    ['AB']
    """
    if len(tags) < 4:
        return []
    found = [*_mixed_patterns(tags, overlap), *_uniform_patterns(tags)]
    return sorted(found, key=lambda pattern: (-pattern.length, -pattern.frequency, pattern.positions[0]))


def _mixed_patterns(tags: Sequence[str], overlap: bool) -> list[KeyPattern]:
    """Maximal repetitions with at least two different tags in them."""
    longest = len(tags) // 2
    order, prefixes = _suffixes(tags)
    prefixes = np.minimum(prefixes, longest)
    runs = _run_ends(tags)
    keys = _Keys(tags)
    patterns: dict[tuple[int, int], KeyPattern] = {}
    for start, end, length in _peaks(prefixes):
        positions = sorted(order[start : end + 1].tolist())
        if length < 2 or runs[positions[0]] - positions[0] >= length:
            continue
        if length < longest and not _distinct_before(tags, positions):
            continue
        if not overlap:
            length = min(length, min(b - a for a, b in pairwise(positions)))
        if length > 1 and runs[positions[0]] - positions[0] < length:
            key = keys.of(positions[0], length)
            # Cut to its period, a pattern also matches in the tail that was too short for its former length.
            while positions[-1] + 2 * length <= len(tags) and keys.of(positions[-1] + length, length) == key:
                positions.append(positions[-1] + length)
            known = patterns.get(key)
            if known is None or len(known.positions) < len(positions):
                patterns[key] = KeyPattern(length, tuple(positions))
    return list(patterns.values())


class _Keys:
    """Equal subsequences have equal keys: a rolling hash, as copies of long patterns would cost n² on hostile pages."""

    _MODULUS, _BASE = (1 << 61) - 1, 0x9E3779B97F4A7C15 % ((1 << 61) - 1)

    def __init__(self, tags: Sequence[str]) -> None:
        self.hashes, self.powers = [0], [1]
        for number in _numbers(tags):
            self.hashes.append((self.hashes[-1] * self._BASE + number + 1) % self._MODULUS)
            self.powers.append(self.powers[-1] * self._BASE % self._MODULUS)

    def of(self, start: int, length: int) -> tuple[int, int]:
        end = self.hashes[start + length]
        return length, (end - self.hashes[start] * self.powers[length]) % self._MODULUS


def _uniform_patterns(tags: Sequence[str]) -> list[KeyPattern]:
    """Maximal repetitions of one tag, which may not overlap themselves."""
    runs: dict[str, list[tuple[int, int]]] = {}
    position = 0
    for tag, group in groupby(tags):
        length = sum(1 for _ in group)
        runs.setdefault(tag, []).append((position, length))
        position += length
    patterns = []
    for places in runs.values():
        lengths = sorted((length for _, length in places), reverse=True)
        second = lengths[1] if len(lengths) > 1 else 0
        longest = min(len(tags) // 2, max(lengths[0] // 2, second))
        wide = [place for place in places if place[1] >= longest]
        if longest > 1 and not _within_longer(tags, wide, longest):
            starts, sizes = zip(*wide, strict=True)
            patterns.append(KeyPattern(longest, starts, sizes))
    return patterns


def _within_longer(tags: Sequence[str], runs: Sequence[tuple[int, int]], length: int) -> bool:
    """Whether a run and the tag before or after it are themselves a repetition."""
    if length + 1 > len(tags) // 2:
        return False
    before = [tags[start - 1] for start, _ in runs if start]
    after = [tags[start + size] for start, size in runs if start + size < len(tags)]
    return len(set(before)) < len(before) or len(set(after)) < len(after)


def _distinct_before(tags: Sequence[str], positions: Sequence[int]) -> bool:
    """Whether no two occurrences follow the same tag: else a longer repetition contains them."""
    before = [tags[position - 1] if position else "" for position in positions]
    return len(set(before)) == len(before)


def _run_ends(tags: Sequence[str]) -> list[int]:
    """For each position where its run of one tag ends."""
    ends = [len(tags)] * len(tags)
    for position in range(len(tags) - 2, -1, -1):
        ends[position] = ends[position + 1] if tags[position] == tags[position + 1] else position + 1
    return ends


def _peaks(prefixes: np.ndarray) -> list[tuple[int, int, int]]:
    """Plateaus of the common prefixes that are higher than what lies beside them: (first, last suffix, height)."""
    edges = np.flatnonzero(np.r_[True, prefixes[1:] != prefixes[:-1], True])
    heights = prefixes[edges[:-1]]
    padded = np.r_[0, heights, 0]
    peaks = np.flatnonzero((heights > padded[:-2]) & (heights > padded[2:]))
    # prefixes[i] joins suffixes i and i + 1.
    return [(int(edges[peak]), int(edges[peak + 1]), int(heights[peak])) for peak in peaks]


def _numbers(tags: Sequence[str]) -> list[int]:
    seen: dict[str, int] = {}
    return [seen.setdefault(tag, len(seen)) for tag in tags]


def _suffixes(tags: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The sorted suffixes, and the length of the common prefix of each with the next."""
    size = len(tags)
    rank = np.array(_numbers(tags), dtype=np.int64)
    order = np.argsort(rank, kind="stable")
    step = 1
    while step < size and rank[order[-1]] < size - 1:
        beyond = np.full(size, -1, dtype=np.int64)
        beyond[:-step] = rank[step:]
        key = rank * (size + 1) + beyond + 1
        order = np.argsort(key, kind="stable")
        ranked = key[order]
        rank = np.empty(size, dtype=np.int64)
        rank[order] = np.cumsum(np.r_[0, ranked[1:] != ranked[:-1]])
        step *= 2
    return order, _common_prefixes(tags, order)


def _common_prefixes(tags: Sequence[str], order: np.ndarray) -> np.ndarray:
    """Kasai's walk in text order: each step is at most one shorter than the one before."""
    size, sorted_suffixes = len(tags), order.tolist()
    rank = [0] * size
    for place, suffix in enumerate(sorted_suffixes):
        rank[suffix] = place
    prefixes, length = [0] * (size - 1), 0
    for suffix in range(size):
        place = rank[suffix]
        if place == size - 1:
            length = 0
            continue
        other = sorted_suffixes[place + 1]
        limit = size - max(suffix, other)
        while length < limit and tags[suffix + length] == tags[other + length]:
            length += 1
        prefixes[place] = length
        length = max(length - 1, 0)
    return np.array(prefixes, dtype=np.int64)


def cut(tags: Sequence[str], *, overlap: bool = False) -> list[tuple[int, int]]:
    """The outermost virtual nodes of a sequence: it is cut at each match of the first key pattern (D4).

    >>> cut("ABCABD"), cut("xABCABD"), cut("xy"), cut("haaaaz")
    ([(0, 3), (3, 6)], [(0, 1), (1, 4), (4, 7)], [(0, 2)], [(0, 1), (1, 5), (5, 6)])
    """
    patterns = key_patterns(tags, overlap=overlap)
    bounds = {0, len(tags)}
    if patterns:
        bounds.update(place for node in _nodes(patterns[0], 0, len(tags)) for place in node)
    places = sorted(bounds)
    return [(a, b) for a, b in pairwise(places)]


def virtual_nodes(tags: Sequence[str], *, overlap: bool = False) -> list[tuple[int, int]]:
    """All virtual nodes, the nested ones too: later key patterns apply inside the pieces that earlier ones cut.

    >>> virtual_nodes("h2 p p ul p p h2 p p p p p p div".split())
    [(0, 6), (6, 14), (7, 13)]
    """
    pieces = [0, len(tags)]
    nodes: set[tuple[int, int]] = set()
    for pattern in key_patterns(tags, overlap=overlap):
        by_piece: dict[tuple[int, int], list[int]] = {}
        for index, position in enumerate(pattern.positions):
            place = bisect_right(pieces, position)
            start, end = pieces[place - 1], pieces[place]
            if position + pattern.length <= end:
                by_piece.setdefault((start, end), []).append(index)
        for (start, end), indices in by_piece.items():
            inside = KeyPattern(
                pattern.length,
                tuple(pattern.positions[index] for index in indices),
                tuple(pattern.run_lengths[index] for index in indices) if pattern.run_lengths else (),
            )
            for node in _nodes(inside, start, end):
                if node != (start, end):
                    nodes.add(node)
                    for bound in node:
                        if pieces[bisect_right(pieces, bound) - 1] != bound:
                            insort(pieces, bound)
    return sorted(nodes, key=lambda node: (node[0], -node[1]))


def _nodes(pattern: KeyPattern, start: int, end: int) -> list[tuple[int, int]]:
    """The nodes that one pattern cuts out of a piece."""
    if pattern.run_lengths:
        runs = zip(pattern.positions, pattern.run_lengths, strict=True)
        return [(position, min(position + length, end)) for position, length in runs]
    places = [*_apart(pattern.positions, pattern.length), end]
    if places[0] > start:
        places.insert(0, start)
    return [(a, b) for a, b in pairwise(places)]


def _apart(positions: Sequence[int], length: int) -> list[int]:
    """Matches from left to right that do not overlap."""
    chosen: list[int] = []
    for position in positions:
        if not chosen or position >= chosen[-1] + length:
            chosen.append(position)
    return chosen
