"""The hidden layer of a model, made ready for the features of pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.compiled import compiled
from cleancrawl.core.features.sheet import Floats, Matrix

CLIP = 5.0
"""Standardised features are cut off here: one odd page must not dominate."""
SINGLE_THREADED = 250_000
"""Products up to this size stay on one thread in OpenBLAS. Larger ones wake its other threads, whose waiting costs many
times the work of a page where all cores are busy, as in a crawl."""
COLUMNS = 48
"""So many blocks go through the hidden layer at a time, so that products of that size are nearly square."""

_part = compiled("perceptron")
_GROUP = 4
"""Units that the compiled part weighs at a time."""


class HiddenLayer:
    """Rectified units over standardised features, and what their output adds up to.

    Mean and scale are worked into the cut-off and the weights: it saves two passes over all features of a page.
    """

    __slots__ = ("bias", "groups", "highest", "lowest", "output", "padded_output", "slices", "zero")

    def __init__(
        self, means: Matrix, scales: Matrix, hidden_weights: Matrix, hidden_bias: Matrix, output: Matrix
    ) -> None:
        mean, scale, hidden = (array.astype(np.float64) for array in (means, scales, hidden_weights))
        reach = np.divide(CLIP, scale, out=np.full_like(scale, np.inf), where=scale > 0)
        self.lowest, self.highest = _single(mean - reach), _single(mean + reach)
        weights, bias = scale[:, None] * hidden, hidden_bias - (mean * scale) @ hidden
        self.output = output
        self.slices = _single(_sliced(np.concatenate((weights, bias[None]))))
        """The weights cut along the features, each slice small enough for one thread; the bias is one more feature."""
        zero = np.clip(0.0, self.lowest, self.highest)
        missing = -len(bias) % _GROUP
        weights, bias = np.pad(weights, ((0, 0), (0, missing))), np.pad(bias + zero @ weights, (0, missing))
        self.groups = _single(weights.reshape(len(mean), -1, _GROUP).transpose(1, 0, 2))
        """The weights of a few units at a time, and what the units are where all features are zero."""
        self.zero, self.bias, self.padded_output = _single(zero), _single(bias), np.pad(output, (0, missing))

    def totals(self, columns: Matrix) -> Matrix:
        """What the output adds up for each block; ``columns`` has a row per feature, a column per block."""
        if _part is None or not columns.flags.c_contiguous:
            return self.totals_in_python(columns)
        return self.totals_compiled(columns)

    def totals_compiled(self, columns: Matrix) -> Matrix:
        assert _part is not None
        found: Matrix = _part.totals(
            columns, self.lowest, self.highest, self.zero, self.groups, self.bias, self.padded_output
        )
        return found

    def totals_in_python(self, columns: Matrix) -> Matrix:
        ready = self._cut_off(columns)
        total = np.empty(columns.shape[1], dtype=np.float32)
        for start in range(0, len(total), COLUMNS):
            # One call for all products, and their sum.
            layer = np.add.reduce(self.slices @ ready[:, :, start : start + COLUMNS], axis=0)
            np.maximum(layer, 0, out=layer)
            np.matmul(self.output, layer, out=total[start : start + COLUMNS])
        return total

    def _cut_off(self, columns: Matrix) -> Matrix:
        """The features within their bounds, and the one for the bias, in slices as the weights are."""
        count, size = columns.shape
        number, _, step = self.slices.shape
        ready = np.empty((number * step, size), dtype=np.float32)
        # Two plain passes take half the time of ``clip`` with bounds per row.
        np.maximum(columns, self.lowest[:, None], out=ready[:count])
        np.minimum(ready[:count], self.highest[:, None], out=ready[:count])
        ready[count] = 1
        ready[count + 1 :] = 0
        return ready.reshape(number, step, size)


def _sliced(weights: Floats) -> Floats:
    """A layer's weights, a row per feature, as equal slices of units × features, with zeros at the end."""
    features, units = weights.shape
    number = -(-features // max(1, SINGLE_THREADED // (units * COLUMNS)))
    step = -(-features // number)
    filled = np.zeros((number * step, units))
    filled[:features] = weights
    return filled.reshape(number, step, units).transpose(0, 2, 1)


def _single(array: NDArray[np.floating]) -> Matrix:
    return np.ascontiguousarray(array, dtype=np.float32)
