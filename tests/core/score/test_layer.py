"""The hidden layer in slices, by itself and compiled."""

from __future__ import annotations

import numpy as np
import pytest

from cleancrawl.core.compiled import compiled, why_not
from cleancrawl.core.score.layer import COLUMNS, SINGLE_THREADED, HiddenLayer
from cleancrawl.core.score.model import load_model

built = pytest.mark.skipif(compiled("perceptron") is None, reason=f"compiled part perceptron: {why_not('perceptron')}")
ways = pytest.mark.parametrize("way", ["totals_in_python", pytest.param("totals_compiled", marks=built)])
random = np.random.default_rng(1)


def layer_of(features: int, units: int) -> tuple[HiddenLayer, dict[str, np.ndarray]]:
    parts = {
        "mean": random.normal(size=features),
        "scale": random.uniform(0, 20, size=features).round(),
        "hidden": random.normal(size=(features, units)),
        "hidden_bias": random.normal(size=units),
        "output": random.normal(size=units),
    }
    parts = {name: part.astype(np.float32) for name, part in parts.items()}
    return HiddenLayer(*parts.values()), parts


def slow_totals(columns: np.ndarray, mean: np.ndarray, scale: np.ndarray, hidden: np.ndarray, **rest: np.ndarray):
    standard = np.clip((columns.T - mean) * scale, -5, 5)
    return np.maximum(standard @ hidden + rest["hidden_bias"], 0) @ rest["output"]


@ways
@pytest.mark.parametrize(("features", "units"), [(1, 1), (7, 3), (40, 64), (530, 64), (90, 5)])
@pytest.mark.parametrize("blocks", [1, 15, 16, 17, 48, 130])
def test_sums_are_those_of_the_formula(way: str, features: int, units: int, blocks: int) -> None:
    layer, parts = layer_of(features, units)
    columns = random.normal(size=(features, blocks)).astype(np.float32)
    columns[random.random(columns.shape) < 0.7] = 0
    columns[:: 1 + features // 5] = 0
    assert getattr(layer, way)(columns) == pytest.approx(slow_totals(columns, **parts), abs=2e-3, rel=1e-4)


@ways
def test_blocks_do_not_depend_on_each_other(way: str) -> None:
    model = load_model()
    columns = random.normal(size=(len(model.features), 40)).astype(np.float32)
    together = getattr(model.layer, way)(columns)
    alone = [getattr(model.layer, way)(np.ascontiguousarray(column[:, None]))[0] for column in columns.T]
    assert together == pytest.approx(np.array(alone), abs=1e-4)


def test_products_stay_on_one_thread_and_any_order_of_columns_is_taken() -> None:
    layer = load_model().layer
    _, units, step = layer.slices.shape
    assert units * step * COLUMNS <= SINGLE_THREADED
    columns = random.normal(size=(50, len(layer.lowest))).astype(np.float32).T
    assert layer.totals(columns) == pytest.approx(layer.totals(np.ascontiguousarray(columns)), abs=1e-4)


@built
def test_what_does_not_fit_is_refused() -> None:
    layer, _ = layer_of(5, 4)
    with pytest.raises(ValueError, match="features and weights"):
        layer.totals_compiled(np.zeros((4, 2), dtype=np.float32))
    layer.bias = layer.bias[1:]
    with pytest.raises(ValueError, match="units"):
        layer.totals_compiled(np.zeros((5, 2), dtype=np.float32))
