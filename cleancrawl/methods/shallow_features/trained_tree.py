"""METHODS B5: a decision tree trained on the features of B2, read from a data file and walked with NumPy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.data import read_text
from cleancrawl.errors import ConfigError
from cleancrawl.methods.shallow_features.block_features import NAMES, Table, shallow_features

FORMAT = 1


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree:
    """Nodes as parallel arrays; a row goes left where its value is at most the threshold. Leaves have feature −1."""

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    content: np.ndarray
    """The share of content words among the training words that reached each node."""

    @classmethod
    def load(cls, model: dict[str, Any]) -> DecisionTree:
        """From the parsed data file; raises ``ConfigError`` where its format or its features are others."""
        if model.get("format") != FORMAT or set(model.get("features", ())) - set(NAMES):
            raise ConfigError("the decision tree was trained with another version of cleancrawl: train it again")
        columns = np.array([NAMES.index(name) for name in model["features"]], dtype=np.int64)
        feature = np.array([-1 if name < 0 else columns[name] for name in model["feature"]], dtype=np.int64)
        left, right = np.array(model["left"], dtype=np.int64), np.array(model["right"], dtype=np.int64)
        return cls(feature, np.array(model["threshold"], float), left, right, np.array(model["content"], float))

    def predict(self, table: Table) -> np.ndarray:
        """The share of content at each row's leaf. One step of all rows per level of the tree."""
        node = np.zeros(len(table), dtype=np.int64)
        rows = np.arange(len(table))
        while len(rows):
            feature = self.feature[node[rows]]
            rows, feature = rows[feature >= 0], feature[feature >= 0]
            at = node[rows]
            goes_left = table[rows, feature] <= self.threshold[at]
            node[rows] = np.where(goes_left, self.left[at], self.right[at])
        found: np.ndarray = self.content[node]
        return found


@cache
def shipped_tree() -> DecisionTree:
    return DecisionTree.load(json.loads(read_text("shallow_tree.json")))


@dataclass(frozen=True, slots=True)
class TrainedTree:
    """Remove what the trained tree holds for boilerplate."""

    threshold: float = 0.5
    tree: DecisionTree | None = None
    """Another tree than the shipped one."""

    def __call__(self, page: Page) -> None:
        shares: Sequence[float] = (self.tree or shipped_tree()).predict(shallow_features(page)).tolist()
        for block, share in zip(page.blocks, shares, strict=True):
            block.score = share
            if share < self.threshold:
                block.remove("primary", "trained-tree", f"content {share:.2f}")
