"""One crawl, one corpus: every article into output/corpus.jsonl."""

from __future__ import annotations

from typing import Any

from settings.base import *  # noqa: F403

FEEDS: dict[str, dict[str, Any]] = {"output/corpus.jsonl": {"format": "jsonlines", "overwrite": True}}
CLEANCRAWL_STORE = "sqlite:///output/corpus.db"
