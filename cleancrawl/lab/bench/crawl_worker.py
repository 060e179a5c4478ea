"""One timed crawl: reads its job as JSON from standard input, prints its figures as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

QUIET = {
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "RETRY_ENABLED": False,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
}


WARM_UP = "<html><head><title>Bridge</title></head><body><h1>Bridge</h1>" + 9 * (
    "<p>The council has decided to repair the old bridge, which was closed in May after a crack had been found.</p>"
)


class PagesSpider(Spider):
    """Fetches a list of pages and parses each as a crawler has to: its title, and its links with Scrapy's extractor.

    Links to pages of the list are followed; the duplicate filter knows them already. Without ``links`` it is a scraper
    that follows nothing.
    """

    name = "pages"

    def __init__(self, urls: list[str], *, html: bool, items: bool, links: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.urls = urls
        self.known = frozenset(urls)
        self.links = LinkExtractor() if links else None
        self.html = html
        self.items = items

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url)

    def parse(self, response: Response, **options: Any) -> Iterator[Any]:
        item = {"url": response.url, "title": response.xpath("//title/text()").get()}
        if self.links is not None and isinstance(response, TextResponse):
            found = {link.url for link in self.links.extract_links(response)}
            yield from (Request(url) for url in sorted(found & self.known))
        if self.html:
            item["html"] = response.text
        if self.items:
            yield item


class TrafilaturaPipeline:
    """What a project without cleancrawl would write."""

    async def process_item(self, item: Any) -> Any:
        from trafilatura import extract

        item["text"] = extract(item.pop("html"), url=item["url"], include_comments=False)
        return item


def settings_of(job: dict[str, Any]) -> dict[str, Any]:
    """The settings of one way to crawl."""
    directory = job["directory"]
    settings: dict[str, Any] = {**QUIET, "FEEDS": {f"{directory}/items.jsonl": {"format": "jsonlines"}}}
    if job["way"] == "clean":
        settings["ADDONS"] = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}
        settings["CLEANCRAWL_RECIPE"] = job["recipe"]
        settings["CLEANCRAWL_STORE"] = f"sqlite:///{directory}/store.db"
        settings["CLEANCRAWL_ALLOW_PRIVATE_HOSTS"] = True
        settings["CLEANCRAWL_ONLY_ARTICLES"] = False  # every page is written, as in the other ways
    if job["way"] == "trafilatura":
        settings["ITEM_PIPELINES"] = {TrafilaturaPipeline: 300}
    return {**settings, **job.get("settings", {})}


def load(way: str, recipe: str) -> None:
    """Load what is loaded on first use: it costs the same for ten pages and for a million."""
    if way == "clean":
        from cleancrawl.cleaner import clean
        from cleancrawl.core.text.language import load_detector

        _ = clean(WARM_UP, "https://news.example/a", recipe).metadata
        load_detector()
    elif way == "trafilatura":
        from trafilatura import extract

        extract(WARM_UP, url="https://news.example/a", include_comments=False)


def main() -> None:
    job = json.load(sys.stdin)
    load(job["way"], job["recipe"])
    process = CrawlerProcess(settings_of(job))
    crawler = process.create_crawler(PagesSpider)
    marks: dict[str, tuple[float, float]] = {}

    def mark(name: str) -> None:
        marks[name] = (time.process_time(), time.perf_counter())

    def opened() -> None:
        mark("opened")

    def stopped() -> None:
        mark("stopped")

    crawler.signals.connect(opened, signals.spider_opened)
    crawler.signals.connect(stopped, signals.engine_stopped)
    way = job["way"]
    process.crawl(crawler, job["urls"], html=way == "trafilatura", items=way != "clean", links=way != "title")
    process.start()
    begin, end = marks["opened"], marks["stopped"]
    stats = crawler.stats.get_stats() if crawler.stats else {}
    figures = {
        "cpu": end[0] - begin[0],
        "wall": end[1] - begin[1],
        "items": stats.get("item_scraped_count", 0),
        "responses": stats.get("response_received_count", 0),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
