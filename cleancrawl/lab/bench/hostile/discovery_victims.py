"""What reads sitemaps, feeds and robots.txt, for attacks on how pages are found."""

from __future__ import annotations

from typing import Any

from cleancrawl.crawl.discovery.feeds import parse_feed
from cleancrawl.crawl.discovery.sitemaps import from_robots, parse_sitemap

_SITE = "https://news.example"
MAX_PAGES = 5
MOST_REQUESTS = 60
"""For so many pages, with sitemaps, feeds and robots.txt."""
_MOST_CHECKED = 100


def read_sitemap(body: bytes, recipe: str) -> object:
    return parse_sitemap(body, f"{_SITE}/sitemap.xml")


def read_feed(body: bytes, recipe: str) -> object:
    return parse_feed(body, f"{_SITE}/feed")


def read_robots(body: bytes, recipe: str) -> object:
    """Read the beginning of a robots.txt, as a crawl does, and ask it about some pages."""
    from protego import Protego

    from cleancrawl.crawl.fetching.robots_size import beginning

    start = beginning(body)
    rules = Protego.parse(start.decode("utf-8", "replace"))
    urls = [f"{_SITE}/news/{number}-{'a' * 90}" for number in range(_MOST_CHECKED)]
    return from_robots(start, f"{_SITE}/robots.txt"), [rules.can_fetch(url, "cleancrawl") for url in urls]


def crawl_site(body: bytes, recipe: str) -> object:
    """Crawl a few pages of a site with this robots.txt; raises where it asks for too much to find them."""
    # Imported here: Scrapy is no part of what a single document costs.
    from scrapy.crawler import CrawlerProcess

    from cleancrawl.lab.bench.crawl_cost import serve
    from cleancrawl.lab.bench.crawl_worker import QUIET
    from cleancrawl.spiders.news import NewsSpider

    with serve({"/": b"<html><p>News</p>", "/robots.txt": body}) as site:
        settings: dict[str, Any] = {
            **QUIET,
            "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500},
            "CLEANCRAWL_RECIPE": recipe,
            "CLEANCRAWL_STORE": "memory:",
            "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
            "ROBOTSTXT_OBEY": True,
        }
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(NewsSpider)
        process.crawl(crawler, sites=site, max_pages=str(MAX_PAGES))
        process.start()
        stats = crawler.stats.get_stats() if crawler.stats else {}
    requests = stats.get("downloader/request_count", 0)
    if requests > MOST_REQUESTS or "spider_exceptions/count" in stats:
        raise RuntimeError(f"{requests} requests for {MAX_PAGES} pages")
    return stats


DISCOVERY_VICTIMS = {"sitemap": read_sitemap, "feed": read_feed, "robots": read_robots, "site": crawl_site}
