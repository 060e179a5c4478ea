"""One crawl, one corpus: every article into a file of its run in output/corpus."""

from __future__ import annotations

from typing import Any

from settings.base import *  # noqa: F403

FEEDS: dict[str, dict[str, Any]] = {"output/corpus/%(run)s.jsonl": {"format": "jsonlines", "store_empty": False}}
CLEANCRAWL_STORE = "sqlite:///output/corpus.db"
