"""Which blocks of a page its gold text holds."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block import Block
from cleancrawl.core.text.words import words

_SHINGLE = 4
Labels = NDArray[np.float32]


def align(blocks: Sequence[Block], gold: str) -> Labels:
    """The share of each block's text that the gold text holds, between 0 and 1.

    Blocks of at least four words are looked up by their shingles. A shorter one counts only where it stands between
    the places of its neighbours: "Share" somewhere in an article is not the share button.
    """
    wanted = [word.lower() for word in words(gold)]
    places: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(wanted) - _SHINGLE + 1):
        places.setdefault(tuple(wanted[start : start + _SHINGLE]), []).append(start)
    tokens = [[word.lower() for word in words(block.text)] for block in blocks]
    labels = np.zeros(len(blocks), dtype=np.float32)
    spans: list[tuple[int, int] | None] = [None] * len(blocks)
    done = 0
    for index, run in enumerate(tokens):
        if len(run) >= _SHINGLE:
            shingles = [tuple(run[start : start + _SHINGLE]) for start in range(len(run) - _SHINGLE + 1)]
            found = [places[shingle] for shingle in shingles if shingle in places]
            labels[index] = len(found) / len(shingles)
            if labels[index] >= 0.5:
                starts = [held[min(bisect_left(held, done), len(held) - 1)] for held in found]
                spans[index] = (min(starts), max(starts) + _SHINGLE)
                done = max(done, spans[index][0])  # type: ignore[index]
    _place_short_blocks(tokens, wanted, labels, spans)
    return labels


def _place_short_blocks(
    tokens: list[list[str]], wanted: list[str], labels: Labels, spans: list[tuple[int, int] | None]
) -> None:
    ahead = [len(wanted)] * (len(tokens) + 1)
    for index in range(len(tokens) - 1, -1, -1):
        span = spans[index]
        ahead[index] = span[0] if span else ahead[index + 1]
    last = 0
    for index, run in enumerate(tokens):
        span = spans[index]
        if span:
            last = span[1]
        elif run and len(run) < _SHINGLE:
            limit = ahead[index + 1]
            if limit - last > 60 and last:
                # Far from both neighbours: only what follows at once is this block.
                limit = last + 60
            for start in range(last, limit - len(run) + 1):
                if wanted[start : start + len(run)] == run:
                    labels[index] = 1.0
                    last = start + len(run)
                    break


def snippet_labels(
    blocks: Sequence[Block], must_have: Sequence[str], must_not_have: Sequence[str]
) -> tuple[Labels, NDArray[np.bool_]]:
    """Labels from snippets, and which blocks have one: a block that holds a snippet of both kinds has none."""
    labels = np.zeros(len(blocks), dtype=np.float32)
    votes: Counter[int] = Counter()
    for snippets, vote in ((must_have, 1), (must_not_have, -1)):
        for snippet in snippets:
            needle = " ".join(snippet.split())
            for index, block in enumerate(blocks):
                if needle and needle in " ".join(block.text.split()):
                    votes[index] += vote
    known = np.zeros(len(blocks), dtype=bool)
    for index, vote in votes.items():
        known[index] = vote != 0
        labels[index] = vote > 0
    return labels, known
