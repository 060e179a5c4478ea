"""What comes before and after the product of the hidden layer, in Python and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.arranged_weights import (
    SINGLE_THREADED,
    ArrangedWeights,
    outcomes_in_python,
    within_in_python,
)
from cleancrawl.methods.learned.features.page_features import feature_sheet
from cleancrawl.methods.learned.features.sheet import Arrangement, Matrix, Space
from cleancrawl.methods.learned.model import load_model
from tests.twins import twins

both_within = pytest.mark.parametrize("within", twins(within_in_python, "perceptron", "within"))
both_outcomes = pytest.mark.parametrize("outcomes", twins(outcomes_in_python, "perceptron", "outcomes"))
_part = compiled("perceptron")
needs_part = pytest.mark.skipif(_part is None, reason=f"compiled part perceptron: {why_not('perceptron')}")
LOWEST, HIGHEST = np.array([-1, 0], dtype=np.float32), np.array([1, np.inf], dtype=np.float32)
VALUES = np.array([[-3, 0.5, 3], [-0.5, 7, np.nan]], dtype=np.float32)
MASKS, COUNTS = np.array([[0, 1, 2], [7, 0, -1]]), np.array([2, 2])
WEIGHTS = np.array([[1, 10], [2, 20], [4, -40], [8, -80]], dtype=np.float32)
OUTPUT = np.array([1, 0.5], dtype=np.float32)


def room(*shape: int) -> Matrix:
    return np.full(shape, 9, dtype=np.float32)


@both_within
def test_values_within_bounds_in_tiles(within: Callable[..., None]) -> None:
    ready = room(2, 2, 2)
    within(VALUES, None, 0, LOWEST, HIGHEST, ready)
    np.testing.assert_equal(ready, np.array([[[-1, 0.5], [0, 7]], [[1, 0], [np.nan, 0]]], dtype=np.float32))


@both_within
def test_values_of_some_blocks(within: Callable[..., None]) -> None:
    ready = room(1, 2, 2)
    within(VALUES, np.array([1, 2, 0]), 1, LOWEST, HIGHEST, ready)
    np.testing.assert_equal(ready, np.array([[[1, -1], [np.nan, 0]]], dtype=np.float32))
    with pytest.raises(IndexError):
        within(VALUES, np.array([0, 3]), 0, LOWEST, HIGHEST, ready)


@both_within
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (2, 0)])
def test_values_of_nothing(within: Callable[..., None], rows: int, columns: int) -> None:
    ready = room(1, rows, 4)
    within(np.empty((rows, columns), dtype=np.float32), None, 0, LOWEST[:rows], HIGHEST[:rows], ready)
    assert (ready == 0).all()


@both_outcomes
def test_flags_add_their_weights(outcomes: Callable[..., None]) -> None:
    layer, found = np.zeros((4, 2), dtype=np.float32), room(3)
    # Bits beyond those of a family mean nothing.
    outcomes(layer, MASKS, None, 0, WEIGHTS, COUNTS, OUTPUT, found)
    assert found.tolist() == [12, 1 + 5, 14]
    layer[:] = 100
    outcomes(layer, MASKS, np.array([2, 0, 1, 1]), 2, WEIGHTS, COUNTS, OUTPUT, found[:2])
    assert found[:2].tolist() == [101 + 55, 101 + 55]


@both_outcomes
def test_outcomes_without_flags(outcomes: Callable[..., None]) -> None:
    found = room(2)
    layer = np.array([[1, 2], [3, -4]], dtype=np.float32)
    outcomes(layer, MASKS[:0], None, 0, WEIGHTS[:0], COUNTS[:0], OUTPUT, found)
    assert found.tolist() == [2, 3]


@needs_part
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lowest": LOWEST[:1]}, "differ in size"),
        ({"highest": HIGHEST[:1]}, "differ in size"),
        ({"ready": room(1, 1, 3)}, "differ in size"),
        ({"first": -1}, "no such block"),
        ({"chosen": np.array([-1])}, "no such block"),
    ],
)
def test_values_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    assert _part is not None
    given = {"values": VALUES, "chosen": None, "first": 0, "lowest": LOWEST, "highest": HIGHEST, "ready": room(1, 2, 3)}
    with pytest.raises((ValueError, IndexError), match=message):
        _part.within(*{**given, **change}.values())


@needs_part
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": np.array([2, 64])}, "not so many bits"),
        ({"counts": np.array([2, -1])}, "not so many bits"),
        ({"counts": np.array([2, 3])}, "masks and weights"),
        ({"masks": MASKS[:1]}, "masks and weights"),
        ({"weights": WEIGHTS[:3]}, "masks and weights"),
        ({"weights": room(4, 3)}, "hidden layer"),
        ({"output": OUTPUT[:1]}, "hidden layer"),
        ({"layer": room(2, 2)}, "hidden layer"),
        ({"first": 1}, "no such block"),
        ({"first": -1}, "no such block"),
        ({"chosen": np.array([0, 1, 3])}, "no such block"),
        ({"chosen": np.array([0, 1])}, "no such block"),
    ],
)
def test_layers_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    assert _part is not None
    given = {"layer": room(3, 2), "masks": MASKS, "chosen": None, "first": 0, "weights": WEIGHTS, "counts": COUNTS}
    given = {**given, "output": OUTPUT, "found": room(3)}
    with pytest.raises((ValueError, IndexError), match=message):
        _part.outcomes(*{**given, **change}.values())


@needs_part
@given(st.integers(0, 2**32 - 1), st.integers(1, 90), st.booleans(), st.integers(1, 70))
def test_both_give_the_same(seed: int, columns: int, some: bool, tile: int) -> None:
    assert _part is not None
    random = np.random.default_rng(seed)
    values: Matrix = random.normal(scale=5, size=(7, columns)).astype(np.float32)
    masks, counts = random.integers(-(1 << 63), 1 << 63, size=(3, columns)), np.array([63, 0, 30])
    lowest, weights = random.normal(size=7).astype(np.float32), random.normal(size=(93, 8)).astype(np.float32)
    chosen = np.flatnonzero(random.random(columns) > 0.5) if some else None
    end = columns if chosen is None else len(chosen)
    first = int(random.integers(0, end + 1))
    ready = [room(-(-(end - first) // tile), 7, tile) for _ in range(2)]
    layers = [random.normal(size=(end - first + 2, 8)).astype(np.float32)] * 2
    found = [room(end - first) for _ in range(2)]
    for within, outcomes, tiles, layer, sums in zip(
        (within_in_python, _part.within), (outcomes_in_python, _part.outcomes), ready, layers, found, strict=True
    ):
        within(values, chosen, first, lowest, lowest + 1, tiles)
        outcomes(layer.copy(), masks, chosen, first, weights, counts, OUTPUT.repeat(4), sums)
    np.testing.assert_array_equal(*ready)
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-4)


HTML = "<nav class=menu><a href=/>Read also</a></nav><article><h1>Old bridge</h1><p>It was closed, today.</p></article>"


@pytest.mark.parametrize("look", ["first", "second"])
def test_flags_weigh_as_much_as_rows(look: str) -> None:
    page = Page(HTML * 30)
    TextBlocks()(page)
    sheet, model = feature_sheet(page), load_model()
    if look == "second":
        sheet = sheet.look_again(model.first.judge(sheet.arrangement, sheet.space), np.arange(len(page.blocks)))
    judge = getattr(model, look)
    assert sheet.space.masks.any()
    found = judge.judge(sheet.arrangement, sheet.space)
    assert found == pytest.approx(judge.probabilities(sheet.rows), abs=1e-6)
    chosen = np.arange(1, len(page.blocks), 3)
    assert judge.judge(sheet.arrangement, sheet.space, chosen) == pytest.approx(found[chosen], abs=1e-6)


def test_a_flag_that_is_nearly_always_set_is_cut_off_as_any_feature() -> None:
    mean, scale = np.array([0.99, 0.001], dtype=np.float32), np.array([10.0, 30.0], dtype=np.float32)
    hidden, one = np.ones((2, 1), dtype=np.float32), np.ones(1, dtype=np.float32)
    weights = ArrangedWeights(Arrangement([], [range(2)]), mean, scale, hidden, np.float32([20]), one)
    found = weights.sums(Space(np.empty((0, 4), dtype=np.float32), np.array([[0, 1, 2, 3]])))
    # As they are standardised, the flags are -9.9 or 0.1, and -0.03 or 29.97; 5 is the most of each.
    assert found == pytest.approx([20 - 5 - 0.03, 20 + 0.1 - 0.03, 20 - 5 + 5, 20 + 0.1 + 5], abs=1e-4)


def test_many_blocks_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    look = load_model().first
    rows = np.random.default_rng(1).normal(size=(len(look.features), 100)).astype(np.float32)
    chosen = np.arange(1, 100, 3)
    at_once = look.probabilities(rows)
    monkeypatch.setattr("cleancrawl.methods.learned.arranged_weights.AT_ONCE", 7)
    assert look.probabilities(rows) == pytest.approx(at_once, abs=1e-6)
    space = Space(rows, np.empty((0, 100), dtype=np.int64))
    in_rows = Arrangement(range(len(rows)))
    assert look.judge(in_rows, space, chosen) == pytest.approx(at_once[chosen], abs=1e-6)


def test_products_stay_on_one_thread() -> None:
    look = load_model().second
    weights = ArrangedWeights(
        Arrangement(range(len(look.features))),
        look.mean,
        look.scale,
        look.hidden,
        look.hidden_bias,
        look.output,
    )
    assert weights.weights.size * weights.tile <= SINGLE_THREADED
