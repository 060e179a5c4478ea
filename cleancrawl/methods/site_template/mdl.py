"""METHODS C4, exactly: agglomerative clustering that tries all pairs.

Memory is linear in the essential paths of all pages: the counts that pairs would have are not kept, as those would take
the square of the pages, but found again where the best merger of a cluster may have become the best of all. Paths
that lie on the same pages are one weighted column, which changes no count and leaves a fraction of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cleancrawl.methods.site_template.bounds import RowBounds
from cleancrawl.methods.site_template.cost import Floats, description_length
from cleancrawl.methods.site_template.essential import Essential

_DIGITS = 6
"""Costs are compared to a millionth of a bit: among equal ones the first pair wins, whatever a processor rounds."""
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClusterRulings:
    """Where C3 and C4 depart from the paper's letter."""

    difference: bool = True
    """Whether the difference matrix costs. The paper's formula, False, leaves it out."""
    stop: Literal["cost", "one-cluster"] = "cost"
    """Stop where no merger lowers the cost, or, as the paper's listing, at one cluster."""


RULINGS = ClusterRulings()


def cluster_mdl(essential: Essential, rulings: ClusterRulings = RULINGS) -> list[list[int]]:
    """Pages by cluster."""
    if not essential.pages:
        return []
    return _Agglomeration(essential, rulings).run()


class _Agglomeration:
    """Clusters in the order in which they were made; a merged one comes last."""

    def __init__(self, essential: Essential, rulings: ClusterRulings) -> None:
        self.rulings = rulings
        self.shape = len(essential.paths), essential.pages
        self.columns, self.starts, self.weights = _weighted_columns(essential)
        """The columns of all clusters, one cluster after the other, and how many paths each column stands for."""
        self.counts = np.ones(len(self.columns), dtype=np.int64)
        """On how many pages of its cluster each of them is."""
        self.members = [[page] for page in range(essential.pages)]
        self.own = np.zeros((3, essential.pages))
        """Template, plus and minus of each cluster."""
        self.own[0] = essential.sizes
        self.bounds = RowBounds(*self.shape)
        for _ in self.members:
            self.bounds.add()

    def run(self) -> list[list[int]]:
        while (best := self._best()) is not None:
            self._merge(*best)
        return self.members

    def _best(self) -> tuple[int, int] | None:
        """The pair that lowers the cost most, the first of several; None where none does."""
        totals, clusters = self.own.sum(axis=1), len(self.members)
        cost = float(description_length(*self.shape, clusters, *totals)) if self.rulings.stop == "cost" else inf
        best = round(cost, _DIGITS), -1, -1
        least = self.bounds.least(totals, clusters)
        for row in np.argsort(least, kind="stable").tolist():
            if least[row] > best[0]:
                break
            if row:
                best = min(best, self._try(row, totals))
        return best[1:] if best[2] >= 0 else None

    def _try(self, row: int, totals: Floats) -> tuple[float, int, int]:
        """The cheapest merger of a cluster with one before it: cost, and both."""
        clusters = len(self.members)
        changes = self._merged(row) - self.own[:, :row] - self.own[:, row, None]
        costs = np.round(description_length(*self.shape, clusters - 1, *(totals[:, None] + changes)), _DIGITS)
        nearest = int(np.argmin(costs))
        self.bounds.note(row, float(costs[nearest]), totals, changes, clusters)
        return float(costs[nearest]), nearest, row

    def _merged(self, row: int) -> Floats:
        """Template, plus and minus of a cluster merged with each of those before it."""
        start, end = self.starts[row : row + 2]
        columns, counts = self.columns[start:end], self.counts[start:end]
        weights = self.weights[columns]
        dense = np.zeros(len(self.weights), dtype=np.int64)
        dense[columns] = counts
        others, theirs, bounds = self.columns[:start], self.counts[:start], self.starts[: row + 1]
        size = np.array([len(pages) + len(self.members[row]) for pages in self.members[:row]])
        mine, their_weights, pages = dense[others], self.weights[others], np.repeat(size, np.diff(bounds))
        # What the others hold, with our counts added; and what we hold, less what was counted with the others.
        template, held = (
            _inside(mine + theirs, their_weights, pages, bounds)
            + _reaching(counts, weights, size)
            - _inside(mine, their_weights, pages, bounds)
        )
        entries = (counts * weights).sum() + _sums(theirs * their_weights, bounds)
        return self._counted(np.stack([template, entries - held, size * template - held]).astype(float))

    def _counted(self, counts: Floats) -> Floats:
        """Template, plus and minus, the difference left out where it costs nothing."""
        if not self.rulings.difference:
            counts[1:] = 0.0
        return counts

    def _merge(self, first: int, second: int) -> None:
        one, other = (slice(*self.starts[row : row + 2]) for row in (first, second))
        both = np.concatenate([self.columns[one], self.columns[other]])
        columns, places = np.unique(both, return_inverse=True)
        added = np.bincount(places, weights=np.concatenate([self.counts[one], self.counts[other]]))
        self.columns = _replaced(self.columns, one, other, columns)
        self.counts = _replaced(self.counts, one, other, added.astype(np.int64))
        lengths = np.append(np.delete(np.diff(self.starts), (first, second)), len(columns))
        self.starts = np.concatenate([[0], np.cumsum(lengths)])
        self.members.append(self.members[first] + self.members[second])
        del self.members[second], self.members[first]
        template, held = _reaching(added, self.weights[columns], np.array([len(self.members[-1])]))[:, 0]
        self.own = np.delete(self.own, (first, second), axis=1)
        own = [template, added @ self.weights[columns] - held, len(self.members[-1]) * template - held]
        self.own = np.column_stack([self.own, self._counted(np.array(own, dtype=float))])
        self.bounds.drop((first, second))
        self.bounds.add()


def _replaced(values: Ints, one: slice, other: slice, merged: Ints) -> Ints:
    """The values without two parts, and a new one at the end."""
    return np.concatenate([values[: one.start], values[one.stop : other.start], values[other.stop :], merged])


def _inside(counts: Ints, weights: Ints, pages: Ints, bounds: Ints) -> Ints:
    """Of each part, the paths that are on more than half of the pages, and how often they are there."""
    kept = np.where(counts * 2 > pages, weights, 0)
    return np.stack([_sums(kept, bounds), _sums(kept * counts, bounds)])


def _reaching(counts: Ints, weights: Ints, sizes: Ints) -> Ints:
    """The same of one cluster, were it as large as each of these."""
    order = np.argsort(counts)
    place = np.searchsorted(counts[order] * 2, sizes, side="right")
    ends = np.full(len(sizes), len(counts))
    return np.stack([_between(values[order], place, ends) for values in (weights, weights * counts)])


def _sums(values: Ints, bounds: Ints) -> Ints:
    """The sum of each part; parts may be empty."""
    return _between(values, bounds[:-1], bounds[1:])


def _between(values: Ints, starts: Ints, ends: Ints) -> Ints:
    totals = np.concatenate([[0], np.cumsum(values)])
    sums: Ints = totals[ends] - totals[starts]
    return sums


def _weighted_columns(essential: Essential) -> tuple[Ints, Ints, Ints]:
    """Columns of all pages, where each page's start, and how many paths lie on just the pages of a column."""
    rows = np.repeat(np.arange(essential.pages), essential.sizes)
    by_path = np.argsort(essential.columns, kind="stable")
    ends = np.cumsum(np.bincount(essential.columns, minlength=len(essential.paths)))
    groups: dict[bytes, int] = {}
    places = np.split(rows[by_path], ends[:-1]) if len(ends) else []
    column = np.array([groups.setdefault(place.tobytes(), len(groups)) for place in places], dtype=np.int64)
    _, firsts = np.unique(column, return_index=True)
    kept = np.isin(essential.columns, firsts)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=essential.pages))])
    return column[essential.columns[kept]], starts, np.bincount(column, minlength=len(groups))
