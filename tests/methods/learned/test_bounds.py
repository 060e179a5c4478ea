"""Features within their bounds, in Python and compiled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.methods.learned.model import Matrix, load_model, within_in_python
from tests.twins import twins

both = pytest.mark.parametrize("within", twins(within_in_python, "bounds", "within"))
_part = compiled("bounds")
needs_part = pytest.mark.skipif(_part is None, reason=f"compiled part bounds: {why_not('bounds')}")
LOWEST, HIGHEST = np.array([[-1], [0]], dtype=np.float32), np.array([[1], [np.inf]], dtype=np.float32)
VALUES = np.array([[-3, 0.5, 3], [-0.5, 7, np.nan]], dtype=np.float32)


@both
def test_by_hand(within: Callable[..., None]) -> None:
    found = np.full((3, 3), 9, dtype=np.float32)
    within(VALUES, LOWEST, HIGHEST, found, None)
    np.testing.assert_equal(found, np.array([[-1, 0.5, 1], [0, 7, np.nan], [9, 9, 9]], dtype=np.float32))


@both
def test_of_some_columns(within: Callable[..., None]) -> None:
    found = np.empty((2, 2), dtype=np.float32)
    within(VALUES, LOWEST, HIGHEST, found, np.array([2, 0]))
    np.testing.assert_equal(found, np.array([[1, -1], [np.nan, 0]], dtype=np.float32))
    with pytest.raises(IndexError):
        within(VALUES, LOWEST, HIGHEST, found, np.array([0, 3]))


@both
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (2, 0)])
def test_of_nothing(within: Callable[..., None], rows: int, columns: int) -> None:
    found = np.full((2, columns), 9, dtype=np.float32)
    within(np.empty((rows, columns), dtype=np.float32), LOWEST[:rows], HIGHEST[:rows], found, None)
    assert (found == 9).all()


@needs_part
@pytest.mark.parametrize(("bounds", "room"), [((1, 2), (2, 3)), ((2, 1), (2, 3)), ((2, 2), (1, 3)), ((2, 2), (2, 2))])
def test_what_does_not_fit_is_refused(bounds: tuple[int, int], room: tuple[int, int]) -> None:
    assert _part is not None
    with pytest.raises(ValueError, match=r"differ in size|no room"):
        _part.within(VALUES, LOWEST[: bounds[0]], HIGHEST[: bounds[1]], np.empty(room, dtype=np.float32), None)


@needs_part
@given(st.integers(0, 2**32 - 1), st.integers(1, 90), st.booleans())
def test_both_give_the_same(seed: int, columns: int, some: bool) -> None:
    assert _part is not None
    look, random = load_model().first, np.random.default_rng(seed)
    values: Matrix = random.normal(scale=50, size=(len(look.features), columns)).astype(np.float32)
    chosen = np.flatnonzero(random.random(columns) > 0.5) if some else None
    size = columns if chosen is None else len(chosen)
    found = [np.zeros((len(values) + 1, size), dtype=np.float32) for _ in range(2)]
    within_in_python(values, look.lowest, look.highest, found[0], chosen)
    _part.within(values, look.lowest, look.highest, found[1], chosen)
    np.testing.assert_array_equal(*found)


def test_a_choice_of_blocks_gets_what_all_get() -> None:
    look = load_model().first
    columns = np.random.default_rng(1).normal(size=(len(look.features), 100)).astype(np.float32)
    chosen = np.arange(1, 100, 3)
    assert look.probabilities(columns, chosen) == pytest.approx(look.probabilities(columns)[chosen], abs=1e-6)
