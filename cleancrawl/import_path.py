"""What others add to the package without changing it (recipes, stores, sinks) is named by its import path."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def find(path: str) -> Any:
    """What an import path names: ``package.module.name``. Raises ``LookupError`` with the reason where it is nothing.

    >>> find("math.floor")(2.5)
    2
    >>> find("math.ground")
    Traceback (most recent call last):
    LookupError: module 'math' has no attribute 'ground'
    """
    module, _, name = path.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except (ValueError, TypeError, ImportError, AttributeError) as error:
        raise LookupError(str(error)) from error
