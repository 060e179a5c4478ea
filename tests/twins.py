"""Tests of what is there twice, in Python and compiled: each runs against both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cleancrawl.core.compiled import compiled, why_not


def twins(python: Callable[..., Any], part: str, name: str) -> list[Any]:
    """Parameters of a test: the Python function, and its twin of that name in a compiled part; skipped if not built."""
    module = compiled(part)
    missing = pytest.mark.skipif(module is None, reason=f"compiled part {part}: {why_not(part)}")
    return [
        pytest.param(python, id="python"),
        pytest.param(getattr(module, name) if module else None, id="compiled", marks=missing),
    ]
