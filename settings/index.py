"""Articles into a search index: an embedded one, or any sink URL in CLEANCRAWL_INDEX."""

from __future__ import annotations

import os

from settings.base import *  # noqa: F403

CLEANCRAWL_STORE = "sqlite:///output/index.db"
CLEANCRAWL_INDEX = os.environ.get("CLEANCRAWL_INDEX", "tantivy:///output/index")
