"""The learned model and its file: a perceptron for each of two looks, with their provenance, checked on load."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cleancrawl.data import read_text
from cleancrawl.errors import ModelError
from cleancrawl.methods.learned.arranged_weights import Places
from cleancrawl.methods.learned.features.page_features import FIRST_OPINION, NAMES, Sheet
from cleancrawl.methods.learned.features.sheet import Matrix
from cleancrawl.methods.learned.perceptron import Perceptron

FORMAT, VERSION = "cleancrawl-model", 2
HOPELESS = 0.03
"""What the first look gives less than this gets no second one."""


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
        """How likely each block is content. Takes over the space of the sheet."""
        opinion = self.first.judge(sheet.arrangement, sheet.space)
        likely = candidates(opinion)
        if len(likely):
            again = sheet.look_again(opinion, likely)
            opinion[likely] = self.second.judge(again.arrangement, again.space, likely)
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
    return (opinion > HOPELESS).nonzero()[0]


@cache
def load_model(path: str | None = None) -> Model:
    """The model of a file, or the one that ships with the package; read once. It fits the features of a sheet."""
    name = path or "the shipped model"
    try:
        text = read_text("model.json") if path is None else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read the model {path}: {error}") from None
    model = Model.from_json(text, name)
    if model.features != NAMES:
        raise ModelError(f"{name} was trained on other features: train it again")
    return model
