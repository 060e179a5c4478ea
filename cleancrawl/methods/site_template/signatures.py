"""METHODS C5: MinHash signatures of pages and clusters, and the cost of a clustering estimated from them.

A signature holds the least hash of a page's essential paths for each of 128 hash functions. For a cluster it is the
least of its pages' and, beside it, how many of its pages reach it: the share of functions where that number is l
estimates the share of the cluster's paths that lie on l of its pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cleancrawl.methods.site_template.cost import Floats
from cleancrawl.methods.site_template.essential import Essential

HASHES = 128
_CHUNK = 1 << 10
_ROWS = 512
Numbers = NDArray[np.uint32]


@dataclass(slots=True, eq=False)
class Signatures:
    """A row per cluster."""

    least: Numbers
    reached: NDArray[np.int32]
    """How many pages of the cluster reach the least hash, per hash function."""
    sizes: NDArray[np.int64]
    """Pages of each cluster."""
    entries: NDArray[np.int64]
    """Essential paths of its pages, counted once per page."""

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, rows: NDArray[np.int64]) -> Signatures:
        return Signatures(self.least[rows], self.reached[rows], self.sizes[rows], self.entries[rows])

    def keep(self, rows: NDArray[np.int64]) -> None:
        """Keep only these rows, which are in order. In place, part by part: no row moves behind one still to come."""
        for start in range(0, len(rows), _ROWS):
            part = rows[start : start + _ROWS]
            self.least[start : start + len(part)] = self.least[part]
            self.reached[start : start + len(part)] = self.reached[part]
        self.least, self.reached = self.least[: len(rows)], self.reached[: len(rows)]
        self.sizes, self.entries = self.sizes[rows], self.entries[rows]


def signatures(essential: Essential, hashes: int = HASHES, seed: int = 20260101) -> Signatures:
    """One signature per page; a page without essential paths has one that equals no other's in use."""
    generator = np.random.default_rng(seed)
    factors = generator.integers(0, 1 << 63, hashes, dtype=np.uint64) * 2 + 1
    offsets = generator.integers(0, 1 << 63, hashes, dtype=np.uint64)
    pages = essential.pages
    least = np.full((pages, hashes), np.iinfo(np.uint32).max, dtype=np.uint32)
    filled = np.flatnonzero(essential.sizes)
    for rows in np.array_split(filled, max(1, int(essential.sizes.sum()) // _CHUNK)):
        if len(rows):
            columns = np.concatenate([essential.row(row) for row in rows])
            starts = np.concatenate([[0], np.cumsum(essential.sizes[rows])[:-1]])
            # Paths are hashes already: multiply, add and keep the upper half.
            keys = essential.paths[columns]
            for number in range(hashes):
                mixed = ((keys * factors[number] + offsets[number]) >> np.uint64(32)).astype(np.uint32)
                least[rows, number] = np.minimum.reduceat(mixed, starts)
    return Signatures(least, np.ones((pages, hashes), np.int32), np.ones(pages, np.int64), essential.sizes.copy())


def merge(first: Signatures, second: Signatures) -> Signatures:
    """The clusters of two lists merged pairwise: least of both, numbers added where both reach it."""
    equal = first.least == second.least
    lower = first.least < second.least
    reached = np.where(lower, first.reached, second.reached) + np.where(equal, first.reached, 0)
    return Signatures(
        np.minimum(first.least, second.least),
        reached.astype(np.int32),
        first.sizes + second.sizes,
        first.entries + second.entries,
    )


def jaccard(signature: Numbers, others: Numbers) -> Floats:
    """Estimated similarity of one cluster with others: the share of equal hashes."""
    share: Floats = (others == signature).mean(axis=1)
    return share


def statistics(clusters: Signatures) -> Floats:
    """Estimated ones of each template, and 1 and −1 of its difference: three rows, a column per cluster."""
    reached, sizes = clusters.reached, clusters.sizes.astype(np.int32)
    union = clusters.entries / np.maximum(reached.mean(axis=1), 1e-12)
    inside = reached * 2 > sizes[:, None]
    template = union * inside.mean(axis=1)
    plus = union * np.where(inside, 0, reached).mean(axis=1)
    minus = union * np.where(inside, sizes[:, None] - reached, 0).mean(axis=1)
    return np.stack([template, plus, minus])
