"""Arithmetic for features in rows over the blocks of one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Matrix = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)


class Space(NamedTuple):
    """Where features are put, a column per block."""

    values: Matrix
    """A row per feature that is a number."""
    masks: Ints
    """A row per family of flags, which are its bits."""


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """``part / whole``, where an empty whole counts as one.

    >>> ratio([1, 2], [4, 0]).tolist()
    [0.25, 2.0]
    """
    return np.asarray(part, dtype=np.float64) / np.maximum(whole, 1)


def logarithm(amounts: ArrayLike) -> Floats:
    """The logarithm of amounts, so that none counts as 0; ``log1p`` takes twice as long for digits that nobody keeps.

    >>> logarithm([0, 1]).round(3).tolist()
    [0.0, 0.693]
    """
    return np.log(np.add(amounts, 1.0))


LOGARITHMS: Matrix = np.log(np.arange(1.0, 1 << 13)).astype(np.float32)


def count_logarithm(counts: Ints) -> Matrix:
    """``logarithm`` of whole numbers, mostly by looking it up: a logarithm takes as long as ten other features.

    >>> [f"{number:.3f}" for number in (*count_logarithm(np.array([0, 1])), *count_logarithm(np.array([99_999])))]
    ['0.000', '0.693', '11.513']
    """
    try:
        found: Matrix = LOGARITHMS.take(counts)
    except IndexError:
        found = logarithm(counts).astype(np.float32)
    return found


def shifted(values: NDArray[Scalar], by: int, fill: float = 0.0) -> NDArray[Scalar]:
    """The value ``by`` blocks before (after where negative) each block.

    >>> shifted(np.array([1, 2, 3]), 1).tolist(), shifted(np.array([1, 2, 3]), -2, 9).tolist()
    ([0, 1, 2], [3, 9, 9])
    """
    moved = np.full_like(values, fill)
    if abs(by) >= len(values):
        return moved
    if by > 0:
        moved[by:] = values[:-by]
    else:
        moved[:by] = values[-by:]
    return moved


class BitRows:
    """Spreads the bits of several masks: a row per bit, of the first mask, the second one and so on.

    >>> BitRows((3, 1))(np.array([[1, 6], [0, 1]])).astype(int).tolist()
    [[1, 0], [0, 1], [0, 1], [0, 1]]
    """

    __slots__ = ("_bits", "_bytes")

    def __init__(self, counts: Sequence[int]) -> None:
        """How many bits are wanted of each mask."""
        places = [(mask, bit) for mask, count in enumerate(counts) for bit in range(count)]
        self._bytes = np.array([8 * mask + bit // 8 for mask, bit in places], dtype=np.int64)
        self._bits = np.array([1 << bit % 8 for _, bit in places], dtype=np.uint8)[:, None]

    def __call__(self, masks: Ints) -> Bools:
        """``masks`` has a row per mask, a column per block."""
        count, size = masks.shape
        # All in bytes: eight times as many go through the processor at once as masks would.
        by_byte = masks.astype("<i8", copy=False).view(np.uint8).reshape(count, size, 8)
        spread = by_byte.transpose(0, 2, 1).reshape(8 * count, size).take(self._bytes, axis=0)
        spread &= self._bits
        return spread.astype(np.bool_)


class Arrangement:
    """How the features of a look are kept: which have a row, and which are bits of a mask.

    >>> kept = Arrangement([0, 3], [range(1, 3)])
    >>> kept.spread(Space(np.array([[7.0], [9.0]], dtype=np.float32), np.array([[2]]))).ravel().tolist()
    [7.0, 0.0, 1.0, 9.0]
    """

    __slots__ = ("bit_counts", "bits", "bits_of", "count", "values")

    def __init__(self, values: Sequence[int], bits: Sequence[range] = ()) -> None:
        """The number of the feature in each row, and the numbers of the features in each mask."""
        self.values: Ints = np.array(values, dtype=np.int64)
        self.bits: Ints = np.array([number for family in bits for number in family], dtype=np.int64)
        self.bit_counts: Ints = np.array(list(map(len, bits)), dtype=np.int64)
        self.count = len(self.values) + len(self.bits)
        self.bits_of = BitRows(self.bit_counts.tolist())

    def spread(self, space: Space) -> Matrix:
        """All features in the order of their numbers, a row each."""
        found = np.empty((self.count, space.values.shape[1]), dtype=np.float32)
        found[self.values], found[self.bits] = space.values, self.bits_of(space.masks)
        return found


def running_sums(values: Floats | Ints | Bools) -> Floats:
    """Sums from the start along the last axis, with a leading zero: any range is a difference of two of them.

    >>> running_sums(np.array([1.0, 2.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return sums
