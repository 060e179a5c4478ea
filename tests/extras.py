"""Tests that need a package of an extra: skipped with its name where it is missing. `make test` installs all extras."""

from __future__ import annotations

import pytest


def needs(package: str, extra: str) -> None:
    pytest.importorskip(package, reason=f"{package} comes with the extra [{extra}]")
