"""METHODS C2: the paths of a page that other pages of the site have too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cleancrawl.methods.site_template.paths import Paths

Ints = NDArray[np.int64]
BY_THE_LETTER = 0.0
LEAST_SUPPORT = 2
"""A path on one page only is no template; by the letter, 1, it is where most paths of its page are on one only."""


@dataclass(frozen=True, slots=True, eq=False)
class Essential:
    """The essential paths of all pages of a site as one sparse 0/1 matrix, a row per page."""

    paths: Paths
    """The distinct essential paths; columns are positions in here."""
    columns: Ints
    """The columns of all rows, one after the other."""
    starts: Ints
    """Where each row starts in ``columns``; one entry more than there are pages."""

    @property
    def pages(self) -> int:
        return len(self.starts) - 1

    def row(self, page: int) -> Ints:
        found: Ints = self.columns[self.starts[page] : self.starts[page + 1]]
        return found

    @property
    def sizes(self) -> Ints:
        found: Ints = np.diff(self.starts)
        return found


def supports(pages: Sequence[Paths]) -> tuple[Paths, Ints]:
    """All paths, and on how many pages each is."""
    if not pages:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    paths, counts = np.unique(np.concatenate(pages), return_counts=True)
    return paths, counts.astype(np.int64)


def essential_threshold(found: Ints, tolerance: float = BY_THE_LETTER, least: int = LEAST_SUPPORT) -> int:
    """max(least, mode) of the supports of a page's paths; the smallest of several modes.

    Where rows are missing here and there, the supports of one template lie side by side and no single one is frequent.
    With a tolerance the mode is the least support of the fullest class, each class reaching upwards by that share.

    >>> essential_threshold(np.array([1, 1, 1, 3, 3])), essential_threshold(np.array([3, 3, 1]))
    (2, 3)
    >>> essential_threshold(np.array([1, 1, 1, 3, 3]), least=1)
    1
    >>> supports = np.array([95, 96, 97, 98, 98, 99, 100, 7, 7])
    >>> essential_threshold(supports), essential_threshold(supports, tolerance=0.1)
    (7, 95)
    """
    if not len(found):
        return least
    values, counts = np.unique(found, return_counts=True)
    total = np.concatenate([[0], np.cumsum(counts)])
    ends = np.searchsorted(values, np.floor(values * (1 + tolerance)), side="right")
    return max(least, int(values[np.argmax(total[ends] - total[:-1])]))


def essential_paths(pages: Sequence[Paths], tolerance: float = BY_THE_LETTER, least: int = LEAST_SUPPORT) -> Essential:
    """Which paths of each page reach the page's threshold."""
    paths, counts = supports(pages)
    rows = []
    for page in pages:
        found = counts[np.searchsorted(paths, page)]
        rows.append(page[found >= essential_threshold(found, tolerance, least)])
    kept = np.unique(np.concatenate(rows)) if rows else np.zeros(0, dtype=np.uint64)
    columns = [np.searchsorted(kept, row).astype(np.int64) for row in rows]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)]).astype(np.int64)
    return Essential(kept, np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64), starts)
