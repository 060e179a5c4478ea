"""What the best merger of a cluster can cost by now, told without trying its pairs again.

A merger changes three counts by amounts that stay as they are while both clusters live; only the totals to which they
are added move on. The cost of a clustering is a sum of terms ψ(x) = −x·log₂ x, one for each kind of entry in the
matrices, and ψ(b + x) − ψ(a + x) rises or falls steadily with x. So from the range of a row's changes follows how far
its least cost can have fallen since it was computed.
"""

from __future__ import annotations

import numpy as np

from cleancrawl.methods.site_template.cost import Floats, matrix_cost

_TERMS = 5
_SLACK = 0.01
"""Bits: more than what rounding can amount to."""


class RowBounds:
    """For each cluster: the least cost of a merger with those before it, and since when it is known."""

    def __init__(self, paths: int, pages: int) -> None:
        self.paths, self.pages = paths, pages
        self.cost = np.zeros(0)
        self.fixed = np.zeros(0)
        self.entries = np.zeros((_TERMS, 0))
        self.low, self.high = np.zeros((_TERMS, 0)), np.zeros((_TERMS, 0))

    def add(self) -> None:
        """One more row, of which nothing is known."""
        self.cost, self.fixed = np.append(self.cost, -np.inf), np.append(self.fixed, 0.0)
        column = np.zeros((_TERMS, 1))
        self.entries, self.low, self.high = (np.hstack([held, column]) for held in (self.entries, self.low, self.high))

    def drop(self, rows: tuple[int, int]) -> None:
        self.cost, self.fixed = np.delete(self.cost, rows), np.delete(self.fixed, rows)
        self.entries, self.low, self.high = (
            np.delete(held, rows, axis=1) for held in (self.entries, self.low, self.high)
        )

    def note(self, row: int, cost: float, totals: Floats, changes: Floats, clusters: int) -> None:
        """The least cost of a row's mergers, with these totals, and their changes of template, plus and minus."""
        template, plus, minus = changes
        each = np.stack([template, -template, plus, minus, -plus - minus])
        self.cost[row] = cost
        self.fixed[row], self.entries[:, row] = self._state(totals, clusters)
        self.low[:, row], self.high[:, row] = each.min(axis=1), each.max(axis=1)

    def least(self, totals: Floats, clusters: int) -> Floats:
        """No merger of a row costs less than this."""
        fixed, entries = self._state(totals, clusters)
        now = entries[:, None]
        low = np.maximum(self.low, -now)
        fallen = np.minimum(
            _psi(now + low) - _psi(self.entries + low), _psi(now + self.high) - _psi(self.entries + self.high)
        )
        bounds: Floats = self.cost + (fixed - self.fixed) + fallen.sum(axis=0) - _SLACK
        return bounds

    def _state(self, totals: Floats, clusters: int) -> tuple[float, Floats]:
        """What all mergers cost alike, and the entries of each kind to which a merger adds its own."""
        template, plus, minus = totals
        cells, difference = float(self.paths * (clusters - 1)), float(self.paths * self.pages)
        membership = float(matrix_cost((clusters - 1) * self.pages, float(self.pages)))
        entries = np.array([template, cells - template, plus, minus, difference - plus - minus])
        return membership - float(_psi(np.array(cells))), entries


def _psi(entries: Floats) -> Floats:
    return -entries * np.log2(np.maximum(entries, 1e-300))
