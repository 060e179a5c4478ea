"""Several machines, one memory: the store is a Redis server that all of them reach."""

from __future__ import annotations

import os
from typing import Any

from settings.base import *  # noqa: F403

FEEDS: dict[str, dict[str, Any]] = {"output/cluster/%(time)s.jsonl": {"format": "jsonlines", "store_empty": False}}
CLEANCRAWL_STORE = os.environ.get("CLEANCRAWL_STORE", "redis://localhost:6379/0")
