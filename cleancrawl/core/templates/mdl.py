"""METHODS C4, exactly: agglomerative clustering that tries all pairs.

Paths that lie on the same pages are one weighted column, which changes no count and makes the matrix small. The counts
of every pair stay valid until one of the two is merged, so a merge costs one row of pairs: O(pages² · columns) in all.
"""

from __future__ import annotations

import numpy as np

from cleancrawl.core.templates.cost import Floats, description_length
from cleancrawl.core.templates.essential import Essential

_NEVER = np.inf


def cluster_mdl(essential: Essential) -> list[list[int]]:
    """Pages by cluster."""
    if not essential.pages:
        return []
    return _Agglomeration(essential).run()


class _Agglomeration:
    def __init__(self, essential: Essential) -> None:
        self.essential = essential
        self.counts, self.weights = _weighted_columns(essential)
        size = essential.pages
        self.members = [[page] for page in range(size)]
        self.sizes = np.ones(size)
        self.alive = np.ones(size, dtype=bool)
        # Template, plus and minus of each cluster, and of each pair if it were merged.
        self.own = np.stack(self._statistics(self.counts, self.sizes))
        self.pairs = np.full((3, size, size), _NEVER)
        for cluster in range(size):
            self._compare(cluster)

    def run(self) -> list[list[int]]:
        while self.alive.sum() > 1 and self._merge_best():
            pass
        return [members for members, alive in zip(self.members, self.alive, strict=True) if alive]

    def _statistics(self, counts: Floats, sizes: Floats) -> tuple[Floats, Floats, Floats]:
        """Ones of the template, and 1 and −1 of the difference, for rows of counts of clusters of these sizes."""
        inside = counts * 2 > sizes[:, None]
        template = inside @ self.weights
        held = np.where(inside, counts, 0) @ self.weights
        plus = counts @ self.weights - held
        return template, plus, sizes * template - held

    def _compare(self, cluster: int) -> None:
        """Fill the pairs of one cluster with all after it."""
        others = np.flatnonzero(self.alive)
        others = others[others > cluster] if self.sizes[cluster] == 1 else others[others != cluster]
        if not len(others):
            return
        merged = self._statistics(self.counts[others] + self.counts[cluster], self.sizes[others] + self.sizes[cluster])
        for part in range(3):
            self.pairs[part, cluster, others] = merged[part]

    def _merge_best(self) -> bool:
        """Merge the pair that lowers the cost most; whether there was one."""
        clusters = int(self.alive.sum())
        totals = self.own[:, self.alive].sum(axis=1)
        first, second = np.nonzero(np.isfinite(self.pairs[0]))
        changed = self.pairs[:, first, second] - self.own[:, first] - self.own[:, second] + totals[:, None]
        shape = len(self.essential.paths), self.essential.pages
        costs = description_length(*shape, clusters - 1, *changed)
        best = int(np.argmin(costs))
        if costs[best] >= float(description_length(*shape, clusters, *totals)):
            return False
        self._merge(int(first[best]), int(second[best]))
        return True

    def _merge(self, kept: int, gone: int) -> None:
        self.own[:, kept] = self.pairs[:, kept, gone]
        self.counts[kept] += self.counts[gone]
        self.sizes[kept] += self.sizes[gone]
        self.members[kept] += self.members[gone]
        self.members[gone] = []
        self.alive[gone] = False
        for cluster in (kept, gone):
            self.pairs[:, cluster, :] = _NEVER
            self.pairs[:, :, cluster] = _NEVER
        self._compare(kept)


def _weighted_columns(essential: Essential) -> tuple[Floats, Floats]:
    """A row per page and a column per set of pages, with the number of paths that lie on just these pages."""
    rows = np.repeat(np.arange(essential.pages), essential.sizes)
    by_path = np.argsort(essential.columns, kind="stable")
    ends = np.cumsum(np.bincount(essential.columns, minlength=len(essential.paths)))
    groups: dict[bytes, int] = {}
    places = [rows[part] for part in np.split(by_path, ends[:-1])] if len(ends) else []
    column = [groups.setdefault(place.tobytes(), len(groups)) for place in places]
    counts = np.zeros((essential.pages, len(groups)))
    for place, number in zip(places, column, strict=True):
        counts[place, number] = 1
    return counts, np.bincount(column, minlength=len(groups)).astype(float)
