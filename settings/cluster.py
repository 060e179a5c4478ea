"""Several machines, one memory: the store is a Redis server that all of them reach (see docs/site-knowledge.md)."""

from __future__ import annotations

import os
from typing import Any

from settings.base import *  # noqa: F403

FEEDS: dict[str, dict[str, Any]] = {"output/cluster/%(run)s.jsonl": {"format": "jsonlines", "store_empty": False}}
CLEANCRAWL_STORE = os.environ.get("CLEANCRAWL_STORE", "redis://localhost:6379/0")
# What another machine has fetched within the last hours is not fetched again: the store is the filter of all of them.
CLEANCRAWL_ONLY_NEW = True
# Worker 2 of 4 is CLEANCRAWL_WORKER=2/4. A site belongs to one worker, so its delays hold over all machines.
CLEANCRAWL_WORKER = os.environ.get("CLEANCRAWL_WORKER", "1/1")
