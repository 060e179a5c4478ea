"""METHODS A6 and A8: four ways to tell that two texts are nearly the same, behind one interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from cleancrawl.core.fingerprints.block_prints import MIN_TERMS
from cleancrawl.core.fingerprints.simhash import fingerprints, hamming, hash_term
from cleancrawl.core.page import Page
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import terms

_BUCKET = 64
"""Blocks remembered per key: a page of thousands of similar blocks stays linear."""
_MASK = (1 << 64) - 1


class Detector(Protocol):
    """Turns the terms of texts into sketches and compares those."""

    def sketches(self, texts: Sequence[Sequence[str]]) -> Sequence[Any]:
        """One per text."""
        ...

    def similarity(self, first: Any, second: Any) -> float:
        """Between 0 and 1."""
        ...

    def keys(self, sketch: Any) -> Sequence[tuple[int, int]]:
        """Near-duplicates share at least one, nearly always; only texts that share one are compared."""
        ...


@dataclass(frozen=True, slots=True)
class Jaccard:
    """Shared terms over all terms."""

    smallest: int = 8
    """Candidates share one of their terms with the smallest hashes."""

    def sketches(self, texts: Sequence[Sequence[str]]) -> list[frozenset[str]]:
        return [frozenset(text) for text in texts]

    def similarity(self, first: frozenset[str], second: frozenset[str]) -> float:
        return len(first & second) / max(len(first | second), 1)

    def keys(self, sketch: frozenset[str]) -> list[tuple[int, int]]:
        return [(0, value) for value in sorted(map(hash_term, sketch))[: self.smallest]]


@dataclass(frozen=True, slots=True)
class MinHash:
    """Jaccard's similarity estimated from the least of many hashes."""

    hashes: int = 128
    rows: int = 4
    """Hashes in a band; candidates agree in one band."""

    def sketches(self, texts: Sequence[Sequence[str]]) -> list[np.ndarray]:
        generator = np.random.default_rng(20260101)
        factors = generator.integers(0, 1 << 63, self.hashes, dtype=np.uint64) * 2 + 1
        offsets = generator.integers(0, 1 << 63, self.hashes, dtype=np.uint64)
        found = []
        for text in texts:
            values = np.array([hash_term(term) for term in set(text)] or [0], dtype=np.uint64)
            found.append((values[:, None] * factors + offsets).min(axis=0))
        return found

    def similarity(self, first: np.ndarray, second: np.ndarray) -> float:
        return float((first == second).mean())

    def keys(self, sketch: np.ndarray) -> list[tuple[int, int]]:
        bands = sketch.reshape(-1, self.rows)
        return [(band, hash(row.tobytes())) for band, row in enumerate(bands)]


@dataclass(frozen=True, slots=True)
class Simhash:
    """The signs of summed term hashes; ``window=0`` weighs by frequency, None by proximity (METHODS A5)."""

    window: int | None = 0
    bands: int = 4

    def sketches(self, texts: Sequence[Sequence[str]]) -> list[int]:
        return fingerprints(texts, self.window)

    def similarity(self, first: int, second: int) -> float:
        return 1 - hamming(first, second) / 64

    def keys(self, sketch: int) -> list[tuple[int, int]]:
        width = 64 // self.bands
        return [(band, (sketch & _MASK) >> band * width & (1 << width) - 1) for band in range(self.bands)]


@dataclass(frozen=True, slots=True)
class SimilarBlocks:
    """Remove a block that is similar to an earlier kept one; ``detector`` decides what similar means."""

    detector: Detector
    threshold: float = 0.9
    min_terms: int = MIN_TERMS
    """Shorter blocks may repeat."""

    def __call__(self, page: Page) -> None:
        stops = stop_words(page.language)
        blocks = [(block, terms(block.text, stops)) for block in page.kept]
        blocks = [(block, found) for block, found in blocks if len(found) >= self.min_terms]
        sketches = self.detector.sketches([found for _, found in blocks])
        buckets: dict[tuple[int, int], list[int]] = {}
        for index, sketch in enumerate(sketches):
            keys = self.detector.keys(sketch)
            near = {other for key in keys for other in buckets.get(key, ())}
            similar = ((self.detector.similarity(sketch, sketches[other]), -other) for other in near)
            best, other = max(similar, default=(0.0, 0))
            if best >= self.threshold:
                blocks[index][0].remove("secondary", "similar", f"{best:.2f} with block {blocks[-other][0].index}")
                continue
            for key in keys:
                bucket = buckets.setdefault(key, [])
                if len(bucket) < _BUCKET:
                    bucket.append(index)
