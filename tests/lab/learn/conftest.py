"""Fixtures from elsewhere."""

from __future__ import annotations

from tests.lab.bench.conftest import *  # noqa: F403
