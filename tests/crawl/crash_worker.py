"""A crawl in a process of its own, for tests that kill it."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import ForkServerContext
from typing import Any

PRELOAD = ["scrapy.crawler", "scrapy.core.engine", "cleancrawl.crawl.addon", "spiders.news", "cleancrawl.stores.sqlite"]


def context() -> ForkServerContext:
    """Processes that start at once: everything is imported in the server that they are forked from."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload([*PRELOAD, __name__])
    return made


def run(settings: dict[str, Any], arguments: dict[str, Any], log: str) -> None:
    from scrapy.crawler import AsyncCrawlerProcess

    from spiders.news import NewsSpider

    process = AsyncCrawlerProcess({**settings, "LOG_FILE": log})
    process.crawl(NewsSpider, **arguments)
    process.start()
