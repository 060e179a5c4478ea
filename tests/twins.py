"""Tests of what is there twice, in Python and compiled: each runs against both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cleancrawl.core.native import compiled, why_not


def twins(python: Callable[..., Any], part: str, twin: str | Callable[..., Any]) -> list[Any]:
    """Parameters of a test: a function in Python, and its twin, which is skipped where its part is not built.

    The twin is a name in the compiled part, or a function that calls the part.
    """
    module = compiled(part)
    function = getattr(module, twin, None) if isinstance(twin, str) else twin
    missing = pytest.mark.skipif(module is None, reason=f"compiled part {part}: {why_not(part)}")
    return [
        pytest.param(python, id="python"),
        pytest.param(function, id="compiled", marks=missing),
    ]
