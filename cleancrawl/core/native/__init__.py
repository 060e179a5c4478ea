"""Parts of the hot path that are compiled where they can be; without them Python does the same, only slower.

A part is a Cython file ``NAME.pyx`` here, its types are in ``NAME.pyi``, and a Python twin with equal results stands in
the module that uses it, which gives it what it needs: nothing here imports anything of the package. What parts share is
in ``NAME.pxd``. This package is the one place that loads parts, ``build`` the one that builds them.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

PARTS = (
    *("block_facts", "block_list", "column_bytes", "context_features", "fingerprints", "marking", "page_digests"),
    *("parser_events", "perceptron", "repetition", "segmentation", "slots", "source_signs", "start_tags"),
    *("structure_features", "text_features", "text_signs", "tree_events", "walk_setup", "whole_lists"),
    "wording_features",
)
PURE = "CLEANCRAWL_PURE"
"""Environment variable that keeps parts from being built and from being used; empty and 0 mean no."""


def compiled(name: str) -> ModuleType | None:
    """A compiled part, or None where its Python twin has to do. Ask once, when the using module is imported.

    >>> compiled("nothing") is None
    True
    """
    return _load(name)[0]


def why_not(name: str) -> str:
    """Why a part is not in use; empty where it is.

    >>> why_not("nothing") in ("not built", f"{PURE} is set")
    True
    """
    return _load(name)[1]


def in_use() -> str:
    """One line: which parts are compiled here, and why the others are not."""
    used = [name for name in PARTS if compiled(name) is not None]
    reasons: dict[str, list[str]] = {}
    for name in PARTS:
        if name not in used:
            reasons.setdefault(why_not(name), []).append(name)
    if not used:
        return f"pure Python: {'; '.join(reasons)}"
    missing = [f"{', '.join(names)} in Python: {reason}" for reason, names in reasons.items()]
    return "; ".join([f"compiled: {', '.join(used)}", *missing])


@cache
def _load(name: str) -> tuple[ModuleType | None, str]:
    if is_pure():
        return None, f"{PURE} is set"
    path = f"{__name__}.{name}"
    try:
        return import_module(path), ""
    except ModuleNotFoundError as error:
        return None, "not built" if error.name == path else str(error)
    except Exception as error:
        # What was built with other versions of Python or lxml refuses in several ways; none is worth a crash.
        return None, " ".join(f"{type(error).__name__}: {error}".split())


def is_pure() -> bool:
    """Whether the environment asks for Python alone."""
    return os.environ.get(PURE, "") not in ("", "0")
