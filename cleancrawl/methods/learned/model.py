"""The learned model and its file: a perceptron for each of two looks, with their provenance, checked on load."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.native import compiled
from cleancrawl.data import read_text
from cleancrawl.errors import ModelError
from cleancrawl.methods.learned.features.page_features import FIRST_OPINION, Sheet

FORMAT, VERSION = "cleancrawl-model", 2
CLIP = 5.0
"""Standardised features are cut off here: one odd page must not dominate."""
SINGLE_THREADED = 250_000
"""Products up to this size stay on one thread in OpenBLAS. Larger ones wake its other threads, whose waiting costs many
times the work of a page where all cores are busy, as in a crawl."""
COLUMNS = 48
"""So many blocks go through the hidden layer at a time, so that products of that size are nearly square."""

AT_ONCE = 50 * COLUMNS
"""Blocks whose features are made ready at a time: a copy of all of them would double what the largest pages take."""

HOPELESS = 0.03
"""What the first look gives less than this gets no second one."""

Matrix = NDArray[np.float32]
Places = NDArray[np.intp]

_part = compiled("bounds")


def within_in_python(values: Matrix, lowest: Matrix, highest: Matrix, found: Matrix, chosen: Places | None) -> None:
    """Put the chosen columns of ``values``, or all, into ``found``, each value within the bounds of its row."""
    if chosen is not None:
        values = values.take(chosen, axis=1)
    rows = found[: len(values)]
    # Two plain passes take half the time of ``clip`` with bounds per row.
    np.maximum(values, lowest, out=rows)
    np.minimum(rows, highest, out=rows)


_within = within_in_python if _part is None else _part.within


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
    # Mean and scale, worked into the cut-off and the hidden layer: it saves two passes over all features of a page.
    lowest: Matrix = field(init=False)
    highest: Matrix = field(init=False)
    slices: Matrix = field(init=False)
    """The hidden layer cut along the features, each slice small enough for one thread; the bias is one more feature."""

    def __post_init__(self) -> None:
        mean, scale, hidden = (array.astype(np.float64) for array in (self.mean, self.scale, self.hidden))
        reach = np.divide(CLIP, scale, out=np.full_like(scale, np.inf), where=scale > 0)
        bias = self.hidden_bias - (mean * scale) @ hidden
        derived = {
            "lowest": (mean - reach)[:, None],
            "highest": (mean + reach)[:, None],
            "slices": _sliced(np.concatenate((scale[:, None] * hidden, bias[None]))),
        }
        for name, array in derived.items():
            object.__setattr__(self, name, np.ascontiguousarray(array, dtype=np.float32))

    def probabilities(self, columns: Matrix, chosen: Places | None = None) -> Matrix:
        """How likely each block is content; ``columns`` has a row per feature, a column per block.

        Where some blocks are chosen, only these are looked at.
        """
        total = np.empty(columns.shape[1] if chosen is None else len(chosen), dtype=np.float32)
        for first in range(0, len(total), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            if chosen is None:
                self._sums(columns[:, part], None, total[part])
            else:
                self._sums(columns, chosen[part], total[part])
        found: Matrix = 1 / (1 + np.exp(-np.clip(total + np.float32(self.output_bias), -30, 30)))
        return found

    def _sums(self, columns: Matrix, chosen: Places | None, total: Matrix) -> None:
        """The output of each block before it becomes a probability."""
        ready = self._cut_off(columns, chosen)
        for start in range(0, len(total), COLUMNS):
            # One call for all products, and their sum.
            layer = np.add.reduce(self.slices @ ready[:, :, start : start + COLUMNS], axis=0)
            np.maximum(layer, 0, out=layer)
            np.matmul(self.output, layer, out=total[start : start + COLUMNS])

    def _cut_off(self, columns: Matrix, chosen: Places | None) -> Matrix:
        """The features within their bounds, and the one for the bias, in slices as the weights are."""
        count, size = len(columns), columns.shape[1] if chosen is None else len(chosen)
        number, _, step = self.slices.shape
        ready = np.empty((number * step, size), dtype=np.float32)
        _within(np.ascontiguousarray(columns, dtype=np.float32), self.lowest, self.highest, ready, chosen)
        ready[count] = 1
        ready[count + 1 :] = 0
        return ready.reshape(number, step, size)

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


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Two looks at a page: the first at its blocks, the second at those that may be content, in its light."""

    first: Perceptron
    second: Perceptron
    threshold: float = 0.5
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def features(self) -> tuple[str, ...]:
        """The features of the first look; the second has one more."""
        return self.first.features

    def probabilities(self, sheet: Sheet) -> Matrix:
        """How likely each block is content. Takes over the rows of the sheet."""
        opinion = self.first.probabilities(sheet.rows)
        likely = candidates(opinion)
        if len(likely):
            opinion[likely] = self.second.probabilities(sheet.look_again(opinion), likely)
        return opinion

    def to_json(self) -> str:
        """The file's text."""
        record = {
            "format": FORMAT,
            "version": VERSION,
            "provenance": self.provenance,
            "threshold": self.threshold,
            "first": self.first.to_record(),
            "second": self.second.to_record(),
            "features": list(self.features),
        }
        return json.dumps(record, indent=1, ensure_ascii=False, sort_keys=False) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str = "model") -> Model:
        """Raises ``ModelError`` where the text is no model of this version."""
        try:
            record = json.loads(text)
            if record["format"] != FORMAT:
                raise ModelError(f"{name} is not a model of cleancrawl")
            if record["version"] != VERSION:
                raise ModelError(f"{name} has model version {record['version']}, this cleancrawl reads {VERSION}")
            features = tuple(record["features"])
            return cls(
                first=Perceptron.from_record(features, record["first"]),
                second=Perceptron.from_record((*features, FIRST_OPINION), record["second"]),
                threshold=float(record["threshold"]),
                provenance=dict(record["provenance"]),
            )
        except ModelError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{name} is damaged: {error!r}") from None


def candidates(opinion: Matrix) -> Places:
    """The blocks that are worth a second look."""
    return np.flatnonzero(opinion > HOPELESS)


def _sliced(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """A layer's weights, a row per feature, as equal slices of units × features, with zeros at the end."""
    features, units = weights.shape
    number = -(-features // max(1, SINGLE_THREADED // (units * COLUMNS)))
    step = -(-features // number)
    filled = np.zeros((number * step, units))
    filled[:features] = weights
    return filled.reshape(number, step, units).transpose(0, 2, 1)


def _pack(array: Matrix) -> str:
    return b64encode(array.astype("<f2").tobytes()).decode("ascii")


def _unpack(text: str, shape: tuple[int, ...]) -> Matrix:
    array = np.frombuffer(b64decode(text, validate=True), dtype="<f2").astype(np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise ValueError("a weight is not finite")
    return array


@cache
def load_model(path: str | None = None) -> Model:
    """The model of a file, or the one that ships with the package; read once."""
    if path is None:
        return Model.from_json(read_text("model.json"), "the shipped model")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read the model {path}: {error}") from None
    return Model.from_json(text, path)
