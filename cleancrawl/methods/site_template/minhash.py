"""METHODS C5, ``minhash``: equal signatures merge at once; then only the most similar pairs are tried."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_128_digest

from cleancrawl.methods.site_template.cost import Floats, description_length
from cleancrawl.methods.site_template.essential import Essential
from cleancrawl.methods.site_template.signatures import Signatures, jaccard, merge, signatures, statistics

Ints = NDArray[np.int64]
_NONE = -1


def cluster_minhash(essential: Essential) -> list[list[int]]:
    """Pages by cluster. A merge compares the newest cluster, and those that lost their partner, with the rest."""
    members, clusters = merge_equal(signatures(essential))
    return _Nearest(essential, members, clusters).run() if members else []


def merge_equal(pages: Signatures) -> tuple[list[list[int]], Signatures]:
    """Pages with the same signature as one cluster; takes the place of the given signatures."""
    groups: dict[bytes, list[int]] = {}
    for page, signature in enumerate(pages.least):
        groups.setdefault(xxh3_128_digest(signature.tobytes()), []).append(page)
    members = list(groups.values())
    sizes = np.array([len(group) for group in members], dtype=np.int64)
    entries = np.array([pages.entries[group].sum() for group in members], dtype=np.int64)
    pages.keep(np.array([group[0] for group in members], dtype=np.int64))
    pages.reached *= sizes[:, None].astype(np.int32)
    pages.sizes, pages.entries = sizes, entries
    return members, pages


class _Nearest:
    """Each cluster with its most similar partner, and the counts that a merger of the two would have."""

    def __init__(self, essential: Essential, members: list[list[int]], clusters: Signatures) -> None:
        self.shape = len(essential.paths), essential.pages
        self.members, self.clusters = members, clusters
        self.alive = np.ones(len(members), dtype=bool)
        self.own = statistics(clusters)
        self.partner: Ints = np.full(len(members), _NONE, dtype=np.int64)
        self.merged = np.full((3, len(members)), np.inf)
        for cluster in range(len(members)):
            self._find_partner(cluster)

    def run(self) -> list[list[int]]:
        while self.alive.sum() > 1:
            pair = self._best()
            if pair is None:
                break
            self._merge(*pair)
        return [group for group, alive in zip(self.members, self.alive, strict=True) if alive]

    def _find_partner(self, cluster: int) -> None:
        others = np.flatnonzero(self.alive)
        others = others[others != cluster]
        self.partner[cluster] = _NONE
        if len(others):
            similar = jaccard(self.clusters.least[cluster], self.clusters.least[others])
            self.partner[cluster] = others[int(np.argmax(similar))]
            pair = np.array([cluster]), self.partner[cluster : cluster + 1]
            self.merged[:, cluster] = statistics(merge(*(self.clusters.take(side) for side in pair)))[:, 0]

    def _best(self) -> tuple[int, int] | None:
        """The pair that lowers the estimated cost most; None where none does."""
        clusters = int(self.alive.sum())
        totals = self.own[:, self.alive].sum(axis=1)
        first = np.flatnonzero(self.alive & (self.partner != _NONE))
        costs = self._costs(first, totals, clusters)
        best = int(np.argmin(costs))
        if costs[best] >= float(description_length(*self.shape, clusters, *totals)):
            return None
        return int(first[best]), int(self.partner[first[best]])

    def _costs(self, first: Ints, totals: Floats, clusters: int) -> Floats:
        changed = self.merged[:, first] - self.own[:, first] - self.own[:, self.partner[first]] + totals[:, None]
        return description_length(*self.shape, clusters - 1, *changed)

    def _merge(self, kept: int, gone: int) -> None:
        merged = merge(self.clusters.take(np.array([kept])), self.clusters.take(np.array([gone])))
        held = self.clusters
        held.least[kept], held.reached[kept] = merged.least[0], merged.reached[0]
        held.sizes[kept], held.entries[kept] = merged.sizes[0], merged.entries[0]
        self.own[:, kept] = statistics(merged)[:, 0]
        self.members[kept] = self.members[kept] + self.members[gone]
        self.alive[gone] = False
        lost = np.flatnonzero(self.alive & np.isin(self.partner, (kept, gone)))
        for cluster in {kept, *lost.tolist()}:
            self._find_partner(cluster)
