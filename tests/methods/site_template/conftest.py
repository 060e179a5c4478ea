"""Fixtures from elsewhere."""

from __future__ import annotations

from tests.stores.conftest import *  # noqa: F403
