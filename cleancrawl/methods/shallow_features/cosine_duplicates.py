"""METHODS B6: blocks with the same keywords in the same proportions; the later one goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from cleancrawl.core.page import Page
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import terms

_MAX_POSTINGS = 64
"""Blocks remembered per keyword: a page of near-equal blocks stays linear."""


@dataclass(frozen=True, slots=True)
class CosineDuplicates:
    """Remove a block whose keyword frequencies have a cosine of at least ``threshold`` with an earlier kept one."""

    threshold: float = 0.9

    def __call__(self, page: Page) -> None:
        blocks, stops = page.kept, stop_words(page.language)
        vectors = [Counter(terms(block.text, stops)) for block in blocks]
        for later, earlier, similarity in cosine_pairs(vectors, self.threshold):
            blocks[later].remove(
                "secondary", "cosine-duplicate", f"{similarity:.2f} with block {blocks[earlier].index}"
            )


def cosine_pairs(vectors: Sequence[Counter[str]], threshold: float) -> Iterator[tuple[int, int, float]]:
    """(later, earlier, cosine) for each vector that is close to an earlier one that is close to none.

    Only blocks that share a keyword of the *prefix* are compared: the rarest keywords, up to where the rest is too
    short a vector to reach the threshold by itself.

    >>> list(cosine_pairs([Counter("aab"), Counter("xyz"), Counter("aaaabb")], 0.9))
    [(2, 0, 1.0)]
    """
    spread = Counter(term for vector in vectors for term in vector)
    norms = [sqrt(sum(count * count for count in vector.values())) for vector in vectors]
    postings: dict[str, list[int]] = {}
    for index, vector in enumerate(vectors):
        prefix = _prefix(vector, norms[index] * threshold, spread)
        candidates = {other for term in prefix for other in postings.get(term, ())}
        close = ((_dot(vector, vectors[other]) / (norms[index] * norms[other]), -other) for other in candidates)
        similarity, other = max(close, default=(0.0, 0))
        if similarity >= threshold - 1e-12:
            yield index, -other, round(similarity, 6)
            continue
        for term in prefix:
            held = postings.setdefault(term, [])
            if len(held) < _MAX_POSTINGS:
                held.append(index)


def _prefix(vector: Counter[str], reach: float, spread: Counter[str]) -> list[str]:
    """The rarest keywords, until what is left cannot reach the threshold."""
    left = sum(count * count for count in vector.values())
    prefix = []
    for term in sorted(vector, key=lambda term: (spread[term], term)):
        if left < reach * reach - 1e-9:
            break
        prefix.append(term)
        left -= vector[term] ** 2
    return prefix


def _dot(first: Counter[str], second: Counter[str]) -> int:
    if len(second) < len(first):
        first, second = second, first
    return sum(count * second[term] for term, count in first.items() if term in second)
