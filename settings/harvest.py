"""The same sites again and again: only what is new or changed, one file per run."""

from __future__ import annotations

from typing import Any

from settings.base import *  # noqa: F403

FEEDS: dict[str, dict[str, Any]] = {"output/harvest/%(run)s.jsonl": {"format": "jsonlines", "store_empty": False}}
CLEANCRAWL_STORE = "sqlite:///output/harvest.db"
CLEANCRAWL_ONLY_NEW = True
