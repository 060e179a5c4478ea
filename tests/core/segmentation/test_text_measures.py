"""Texts are measured a slice at a time; where the slices end does not matter."""

from __future__ import annotations

import numpy as np
import pytest

from cleancrawl.core.segmentation import text_layout
from cleancrawl.core.segmentation.text_layout import MEASURE_COLUMNS, measure
from cleancrawl.core.text import characters

TEXTS = ["One, two.", "北京!", "x", "A longer text, of 9 words in all: it ends.", "é", "1 2 3"]


@pytest.mark.parametrize("size", [1, 2, 7, 30, 1000])
def test_slices_do_not_show(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure(TEXTS)
    monkeypatch.setattr(text_layout, "_SLICE", size)
    monkeypatch.setattr(characters, "_LONG", size)
    sliced = measure(TEXTS)
    for name in (*MEASURE_COLUMNS, "counts"):
        assert np.array_equal(getattr(sliced, name), getattr(whole, name)), name
