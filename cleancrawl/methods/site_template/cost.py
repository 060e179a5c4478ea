"""METHODS C3: what a clustering costs to write down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def matrix_cost(size: float, *counts: Floats | float) -> Floats:
    """``size · entropy`` in bits of a matrix with these counts of values other than 0.

    >>> float(matrix_cost(4, 2)), float(matrix_cost(4, 1, 1)), float(matrix_cost(4, 0))
    (4.0, 6.0, 0.0)
    """
    if size <= 0:
        return np.zeros(np.broadcast_shapes(*(np.shape(count) for count in counts)))
    rest = size - sum(np.asarray(count, float) for count in counts)
    bits = sum(_bits(np.asarray(count, float), size) for count in (*counts, rest))
    return np.asarray(bits, float)


def _bits(count: Floats, size: float) -> Floats:
    share = np.clip(count / size, 1e-300, 1.0)
    bits: Floats = -np.maximum(count, 0.0) * np.log2(share)
    return bits


def description_length(
    paths: int, pages: int, clusters: int, template: Floats | float, plus: Floats | float, minus: Floats | float
) -> Floats:
    """The cost of a clustering: its template matrix, its membership matrix and the difference to the pages.

    ``template`` counts the ones of the template matrix, ``plus`` and ``minus`` the 1 and −1 of the difference.
    """
    return (
        matrix_cost(paths * clusters, template)
        + matrix_cost(clusters * pages, float(pages))
        + matrix_cost(paths * pages, plus, minus)
    )
