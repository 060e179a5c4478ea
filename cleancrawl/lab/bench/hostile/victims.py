"""What is attacked: functions that take the hostile input as it comes from the net."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

from cleancrawl.cleaner import clean
from cleancrawl.core.text.language import load_detector
from cleancrawl.lab.bench.hostile.discovery_victims import DISCOVERY_VICTIMS
from cleancrawl.report.page_report import explain

URL = "https://news.example/2026/11/the-old-bridge-opens-again"
_FRONT = b"<html><title>News</title><body><h1>News</h1><a href=/2026/11/the-old-bridge-opens-again>The bridge</a>"
_FIRST = f"<title>Bridge</title><h1>Bridge</h1>{'<p>The council has decided to repair it, at last.</p>' * 9}".encode()

Victim = Callable[[bytes, str], object]


def clean_page(body: bytes, recipe: str) -> object:
    """Clean one page, and ask for all that a document can tell, and why."""
    document = clean(body, URL, recipe, comments=recipe == "default")
    told = document.text, document.metadata, document.score, document.markdown, document.html, document.comments
    return told, explain(document)


def crawl_page(body: bytes, recipe: str) -> object:
    """Crawl a site with this page, with a store, from its front page on; raises where the page failed in a step."""
    # Imported here: Scrapy is no part of what a single page costs.
    from scrapy.crawler import CrawlerProcess

    from cleancrawl.lab.bench.crawl_cost import serve
    from cleancrawl.lab.bench.crawl_worker import QUIET
    from cleancrawl.spiders.news import NewsSpider

    with TemporaryDirectory() as scratch, serve({"/": _FRONT, URL.removeprefix("https://news.example"): body}) as site:
        settings: dict[str, Any] = {
            **QUIET,
            "FEEDS": {f"{scratch}/items.jsonl": {"format": "jsonlines"}},
            "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500},
            "CLEANCRAWL_RECIPE": recipe,
            "CLEANCRAWL_STORE": f"sqlite:///{scratch}/store.db",
            "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
            # The links of the page are read, and lead nowhere.
            "HTTPERROR_ALLOW_ALL": False,
            "CLOSESPIDER_PAGECOUNT": 2,
        }
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(NewsSpider)
        process.crawl(crawler, sites=site, discover="links")
        process.start()
        stats = crawler.stats.get_stats() if crawler.stats else {}
    failed = [name for name in stats if name.startswith(("cleancrawl/failed/", "spider_exceptions/"))]
    if failed or stats.get("cleancrawl/pages") != 2:
        raise RuntimeError(f"{', '.join(failed) or 'the page was not cleaned'}")
    return stats


VICTIMS: dict[str, Victim] = {"page": clean_page, "crawl": crawl_page, **DISCOVERY_VICTIMS}
"""By name, as attacks call them. To attack another part, add it here."""


def load(victim: str, recipe: str) -> None:
    """Load what is loaded on first use: it belongs to the idle process."""
    if victim in ("page", "crawl", "site"):
        clean_page(_FIRST, recipe)
        load_detector()
    if victim in ("crawl", "site"):
        from scrapy.crawler import CrawlerProcess

        from cleancrawl.spiders.news import NewsSpider

        _ = CrawlerProcess, NewsSpider
