"""The weights of a perceptron, arranged as the features of a page are kept.

Numbers go through the hidden layer as one product of matrices. Of flags, of which nearly all are 0, each that is set
adds its weights to the layer; what the others would add is in the bias.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.native import compiled
from cleancrawl.methods.learned.features.sheet import Arrangement, BitRows, Floats, Ints, Matrix, Scalar, Space

CLIP = 5.0
"""Standardised features are cut off here: one odd page must not dominate."""
SINGLE_THREADED = 250_000
"""Products up to this size stay on one thread in OpenBLAS. Larger ones wake its other threads, whose waiting costs many
times the work of a page where all cores are busy, as in a crawl."""
AT_ONCE = 2_400
"""Blocks whose features are made ready at a time: a copy of all of them would double what the largest pages take."""

Places = NDArray[np.intp]

_part = compiled("perceptron")


class ArrangedWeights:
    """The hidden layer of a perceptron and its output, for features in one arrangement."""

    __slots__ = ("bias", "bit_counts", "bit_weights", "highest", "lowest", "output", "tile", "weights")

    def __init__(
        self,
        arrangement: Arrangement,
        mean: Matrix,
        scale: Matrix,
        hidden: Matrix,
        hidden_bias: Matrix,
        output: Matrix,
    ) -> None:
        # Mean and scale are worked into the bounds and the weights: it saves two passes over all features of a page.
        middle, factor = mean.astype(np.float64), scale.astype(np.float64)
        reach = np.divide(CLIP, factor, out=np.full_like(factor, np.inf), where=factor > 0)
        lowest, highest, weights = middle - reach, middle + reach, factor[:, None] * hidden
        values, bits = arrangement.values, arrangement.bits
        unset, is_set = (np.minimum(np.maximum(flag, lowest[bits]), highest[bits])[:, None] for flag in (0.0, 1.0))
        self.lowest, self.highest = _single(lowest[values]), _single(highest[values])
        self.weights, self.bit_weights = _single(weights[values]), _single((is_set - unset) * weights[bits])
        self.bias = _single(hidden_bias - middle @ weights + (unset * weights[bits]).sum(axis=0))
        self.bit_counts: Ints = arrangement.bit_counts
        self.output = _single(output)
        self.tile = _tile(self.weights)
        """So many blocks go through the hidden layer at a time."""

    def sums(self, space: Space, chosen: Places | None = None) -> Matrix:
        """The output for each chosen block, or all, before it becomes a probability; its own bias is left out."""
        found = np.empty(space.values.shape[1] if chosen is None else len(chosen), dtype=np.float32)
        for first in range(0, len(found), AT_ONCE):
            part = found[first : first + AT_ONCE]
            ready = np.empty((-(-len(part) // self.tile), len(self.lowest), self.tile), dtype=np.float32)
            _within(space.values, chosen, first, self.lowest, self.highest, ready)
            layer = (ready.transpose(0, 2, 1) @ self.weights).reshape(-1, len(self.bias))
            layer += self.bias
            _outcomes(layer, space.masks, chosen, first, self.bit_weights, self.bit_counts, self.output, part)
        return found


def _single(array: Floats | Matrix) -> Matrix:
    return np.ascontiguousarray(array, dtype=np.float32)


def within_in_python(
    values: Matrix, chosen: Places | None, first: int, lowest: Matrix, highest: Matrix, ready: Matrix
) -> None:
    """Make columns of ``values`` ready, each value within the bounds of its row: the chosen ones, or all, from the
    first on. ``ready`` has tiles of some columns each; what is left of the last one is zero."""
    tiles, rows, tile = ready.shape
    columns = _columns(values, chosen, first, tiles * tile)
    filled = np.zeros((rows, tiles * tile), dtype=np.float32)
    # Two plain passes take half the time of ``clip`` with bounds per row.
    np.maximum(columns, lowest[:, None], out=filled[:, : columns.shape[1]])
    np.minimum(filled[:, : columns.shape[1]], highest[:, None], out=filled[:, : columns.shape[1]])
    ready[:] = filled.reshape(rows, tiles, tile).transpose(1, 0, 2)


def outcomes_in_python(
    layer: Matrix,
    masks: Ints,
    chosen: Places | None,
    first: int,
    weights: Matrix,
    counts: Ints,
    output: Matrix,
    found: Matrix,
) -> None:
    """Finish the hidden layer of blocks, a row each, by the weights of the flags that are set, and sum up its units."""
    flags = BitRows(counts.tolist())(_columns(masks, chosen, first, len(found))).T.astype(np.float32)
    tile = _tile(weights)
    for start in range(0, len(flags), tile):
        part = flags[start : start + tile]
        layer[start : start + len(part)] += part @ weights
    np.matmul(np.maximum(layer[: len(found)], 0), output, out=found)


def _tile(weights: Matrix | Floats) -> int:
    """How many blocks a product with these weights may have."""
    return max(8, SINGLE_THREADED // max(weights.size, 1) // 8 * 8)


def _columns(rows: NDArray[Scalar], chosen: Places | None, first: int, most: int) -> NDArray[Scalar]:
    part = slice(first, first + most)
    return rows[:, part] if chosen is None else rows.take(chosen[part], axis=1)


_within = within_in_python if _part is None else _part.within
_outcomes = outcomes_in_python if _part is None else _part.outcomes
