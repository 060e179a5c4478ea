"""Any number of workers on any number of machines, one list of sites: -a sites=queue (see docs/machines.md)."""

from __future__ import annotations

import os
from typing import Any

from settings.base import *  # noqa: F403

FEEDS: dict[str, dict[str, Any]] = {"output/cluster/%(run)s.jsonl": {"format": "jsonlines", "store_empty": False}}
CLEANCRAWL_STORE = os.environ.get("CLEANCRAWL_STORE", "redis://localhost:6379/0")
# What another machine has fetched within the last hours is not fetched again: the store is the filter of all of them.
CLEANCRAWL_ONLY_NEW = True
