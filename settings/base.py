"""What all settings share: the package's polite defaults. What this project wants otherwise goes here."""

from __future__ import annotations

from cleancrawl.crawl.polite_settings import *  # noqa: F403

SPIDER_MODULES = ["spiders"]
NEWSPIDER_MODULE = "spiders"
