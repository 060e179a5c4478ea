"""The learned model's file: a perceptron with its provenance, checked on load."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.score.layer import HiddenLayer
from cleancrawl.data import read_text
from cleancrawl.errors import ModelError

FORMAT, VERSION = "cleancrawl-model", 1

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """One hidden layer of rectified units over standardised features, a logistic output."""

    features: tuple[str, ...]
    mean: Matrix
    scale: Matrix
    hidden: Matrix
    hidden_bias: Matrix
    output: Matrix
    output_bias: float
    threshold: float = 0.5
    provenance: dict[str, Any] = field(default_factory=dict)
    layer: HiddenLayer = field(init=False)

    def __post_init__(self) -> None:
        layer = HiddenLayer(self.mean, self.scale, self.hidden, self.hidden_bias, self.output)
        object.__setattr__(self, "layer", layer)

    def probabilities(self, columns: Matrix) -> Matrix:
        """How likely each block is content; ``columns`` has a row per feature, a column per block."""
        total = self.layer.totals(columns) + np.float32(self.output_bias)
        found: Matrix = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        return found

    def rounded(self) -> Model:
        """The model as it comes back from its file."""
        return Model.from_json(self.to_json())

    def to_json(self) -> str:
        """The file's text; weights are rounded to half precision, which halves the file and changes no verdict."""
        arrays = {name: _pack(getattr(self, name)) for name in ("mean", "scale", "hidden", "hidden_bias", "output")}
        record = {
            "format": FORMAT,
            "version": VERSION,
            "provenance": self.provenance,
            "threshold": self.threshold,
            "units": len(self.hidden_bias),
            "output_bias": self.output_bias,
            **arrays,
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
            features, units = tuple(record["features"]), int(record["units"])
            return cls(
                features=features,
                mean=_unpack(record["mean"], (len(features),)),
                scale=_unpack(record["scale"], (len(features),)),
                hidden=_unpack(record["hidden"], (len(features), units)),
                hidden_bias=_unpack(record["hidden_bias"], (units,)),
                output=_unpack(record["output"], (units,)),
                output_bias=float(record["output_bias"]),
                threshold=float(record["threshold"]),
                provenance=dict(record["provenance"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{name} is damaged: {error!r}") from None


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
