"""A perceptron: its weights, their file, and what it says of blocks."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cleancrawl.methods.learned.arranged_weights import ArrangedWeights, Places
from cleancrawl.methods.learned.features.sheet import Arrangement, Matrix, Space


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """One hidden layer of rectified units over standardised features, a logistic output."""

    features: tuple[str, ...]
    mean: Matrix
    scale: Matrix
    hidden: Matrix
    hidden_bias: Matrix
    output: Matrix
    output_bias: float

    def probabilities(self, rows: Matrix) -> Matrix:
        """How likely each block is content; ``rows`` has a row for every feature, a column per block."""
        return self.judge(_one_row_each(len(rows)), Space(rows, np.empty((0, rows.shape[1]), dtype=np.int64)))

    def judge(self, arrangement: Arrangement, space: Space, chosen: Places | None = None) -> Matrix:
        """The same for features that are kept in another way, and of the chosen blocks alone where some are chosen."""
        sums = _arranged(self, arrangement).sums(space, chosen)
        sums += np.float32(self.output_bias)
        found: Matrix = np.reciprocal(np.exp(-np.maximum(sums, -30)) + np.float32(1))
        return found

    def rounded(self) -> Perceptron:
        """The perceptron as it comes back from its file."""
        return Perceptron.from_record(self.features, self.to_record())

    def to_record(self) -> dict[str, Any]:
        """JSON values; weights are rounded to half precision, which halves the file and changes no verdict."""
        return {
            "units": len(self.hidden_bias),
            "output_bias": self.output_bias,
            **{name: _pack(getattr(self, name)) for name in ("mean", "scale", "hidden", "hidden_bias", "output")},
        }

    @classmethod
    def from_record(cls, features: tuple[str, ...], record: dict[str, Any]) -> Perceptron:
        """Raises what Python raises on wrong values."""
        units = int(record["units"])
        return cls(
            features=features,
            mean=_unpack(record["mean"], (len(features),)),
            scale=_unpack(record["scale"], (len(features),)),
            hidden=_unpack(record["hidden"], (len(features), units)),
            hidden_bias=_unpack(record["hidden_bias"], (units,)),
            output=_unpack(record["output"], (units,)),
            output_bias=float(record["output_bias"]),
        )


# Few of them are in use at a time, two in all but training.
@lru_cache(maxsize=8)
def _arranged(look: Perceptron, arrangement: Arrangement) -> ArrangedWeights:
    return ArrangedWeights(arrangement, look.mean, look.scale, look.hidden, look.hidden_bias, look.output)


@lru_cache(maxsize=8)
def _one_row_each(count: int) -> Arrangement:
    return Arrangement(range(count))


def _pack(array: Matrix) -> str:
    return b64encode(array.astype("<f2").tobytes()).decode("ascii")


def _unpack(text: str, shape: tuple[int, ...]) -> Matrix:
    array = np.frombuffer(b64decode(text, validate=True), dtype="<f2").astype(np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise ValueError("a weight is not finite")
    return array
