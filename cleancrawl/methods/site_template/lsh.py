"""METHODS C5, ``lsh``: candidates come from banding, 32 bands of 4 hashes; merged in rounds, best pairs first.

Each bucket links its clusters to their neighbours in it instead of all pairs, so a round has at most 32 candidates per
cluster, and rounds are few because each merges every cluster that finds a partner: about linear in the pages. Of its
candidates a cluster remembers only the best one so far, so beside the signatures there is next to nothing to hold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cleancrawl.methods.site_template.cost import description_length
from cleancrawl.methods.site_template.essential import Essential
from cleancrawl.methods.site_template.minhash import merge_equal
from cleancrawl.methods.site_template.signatures import Numbers, Signatures, merge, signatures, statistics

BANDS, ROWS = 32, 4
_CHUNK = 16
_NONE = -1
Ints = NDArray[np.int64]


def cluster_lsh(essential: Essential, bands: int = BANDS, rows: int = ROWS) -> list[list[int]]:
    """Pages by cluster."""
    members, clusters = merge_equal(signatures(essential, bands * rows))
    shape = len(essential.paths), essential.pages
    while len(members) > 1:
        partners = _Partners(shape, clusters)
        for band in range(bands):
            partners.compare(*neighbours(clusters.least[:, band * rows : (band + 1) * rows]))
        first, second = partners.chosen()
        if not len(first):
            break
        members = _merge_rows(members, clusters, first, second)
    return members


def _merge_rows(members: list[list[int]], clusters: Signatures, first: Ints, second: Ints) -> list[list[int]]:
    """Each second cluster goes into the row of its first; in place, as a second copy would be half of the memory."""
    for start in range(0, len(first), _CHUNK):
        rows, others = first[start : start + _CHUNK], second[start : start + _CHUNK]
        part = merge(clusters.take(rows), clusters.take(others))
        clusters.least[rows], clusters.reached[rows] = part.least, part.reached
        clusters.sizes[rows], clusters.entries[rows] = part.sizes, part.entries
    for row, other in zip(first.tolist(), second.tolist(), strict=True):
        members[row] = members[row] + members[other]
    left = np.setdiff1d(np.arange(len(members)), second)
    clusters.keep(left)
    return [members[row] for row in left.tolist()]


def neighbours(keys: Numbers) -> tuple[Ints, Ints]:
    """Pairs of clusters that follow each other in a bucket: those with the same key."""
    keys = np.ascontiguousarray(keys)
    key = keys.view(np.dtype((np.void, keys.dtype.itemsize * keys.shape[1]))).ravel()
    order = np.argsort(key, kind="stable")
    equal = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    return order[equal], order[equal + 1]


class _Partners:
    """Each cluster's cheapest merger with one after it that was met so far."""

    def __init__(self, shape: tuple[int, int], clusters: Signatures) -> None:
        self.shape, self.clusters = shape, clusters
        count = len(clusters)
        self.own = np.concatenate([statistics(clusters.take(part)) for part in _parts(np.arange(count))], axis=1)
        self.totals = self.own.sum(axis=1)
        self.partner = np.full(count, _NONE)
        self.costs = np.full(count, np.inf)
        self.changes = np.zeros((3, count))

    def compare(self, first: Ints, second: Ints) -> None:
        """Each first cluster, of which there is one only, with its second."""
        new = self.partner[first] != second
        for one, other in zip(_parts(first[new]), _parts(second[new]), strict=True):
            merged = statistics(merge(self.clusters.take(one), self.clusters.take(other)))
            changes = merged - self.own[:, one] - self.own[:, other]
            costs = description_length(*self.shape, len(self.clusters) - 1, *(self.totals[:, None] + changes))
            better = costs < self.costs[one]
            rows = one[better]
            self.partner[rows], self.costs[rows], self.changes[:, rows] = (
                other[better],
                costs[better],
                changes[:, better],
            )

    def chosen(self) -> tuple[Ints, Ints]:
        """Mergers of this round: best first, each cluster once, as long as each lowers the cost."""
        totals, count = self.totals, len(self.clusters)
        cost = float(description_length(*self.shape, count, *totals))
        taken = np.zeros(count, dtype=bool)
        first = []
        for row in np.argsort(self.costs, kind="stable").tolist():
            if self.partner[row] == _NONE or taken[row] or taken[self.partner[row]]:
                continue
            after = totals + self.changes[:, row]
            lower = float(description_length(*self.shape, count - 1, *after))
            if lower >= cost:
                break
            cost, totals, count = lower, after, count - 1
            taken[[row, self.partner[row]]] = True
            first.append(row)
        rows = np.array(first, dtype=np.int64)
        return rows, self.partner[rows]


def _parts(rows: Ints) -> list[Ints]:
    return [rows[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)]
