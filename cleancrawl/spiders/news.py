"""``scrapy crawl news -a sites=…``: the articles of whole news sites."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from cleancrawl.core.html.head import scan_head
from cleancrawl.core.site import site_key, worker_of
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.discovery import feeds, sitemaps
from cleancrawl.crawl.discovery.entries import Entry, newest_first
from cleancrawl.crawl.discovery.frontier import Frontier
from cleancrawl.crawl.discovery.options import Options
from cleancrawl.spiders.checked import CheckedSpider


class NewsSpider(CheckedSpider):
    """Finds a site's pages through sitemaps, feeds and links, newest first, and stays on the site.

    ``sites`` (URLs or ``@file``), ``max_pages`` (per site), ``since`` and ``until`` (days), ``depth`` (links from the
    front page), ``discover`` (of sitemap, feed, links).
    """

    name = "news"
    frontier: Frontier

    def __init__(
        self,
        sites: str = "",
        max_pages: str = "",
        since: str = "",
        until: str = "",
        depth: str = "",
        discover: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.options = Options.read(sites, since, until, max_pages, depth, discover)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.frontier = Frontier(spider.options, crawler)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        discover = self.options.discover
        config = Config.from_settings(self.crawler.settings)
        number, workers = config.worker
        for site in self.options.sites:
            if worker_of(site_key(site, config.site_key), workers) != number:
                continue
            if discover & {"sitemap", "feed"}:
                yield self.frontier.aside(site, "/robots.txt", self.parse_robots, self.no_robots)
            yield self.frontier.front(site, self.parse_front)

    def parse_robots(self, response: Response) -> Iterator[Request]:
        if "sitemap" in self.options.discover:
            found = sitemaps.from_robots(response.body, response.url) if response.status == 200 else []
            for place in found or sitemaps.USUAL_PATHS:
                yield self.frontier.aside(response.url, place, self.parse_sitemap)

    def no_robots(self, failure: Any) -> Iterator[Request]:
        if "sitemap" in self.options.discover:
            for place in sitemaps.USUAL_PATHS:
                yield self.frontier.aside(failure.request.url, place, self.parse_sitemap)

    def parse_sitemap(self, response: Response) -> Iterator[Request]:
        sitemap = sitemaps.parse_sitemap(response.body, response.url)
        level = response.meta.get("sitemap_level", 0)
        if level < sitemaps.MAX_LEVELS:
            for child in newest_first(sitemap.children)[: sitemaps.MAX_CHILDREN]:
                if self.options.window.reaches(child.modified):
                    yield self.frontier.aside(response.url, child.url, self.parse_sitemap, sitemap_level=level + 1)
        if sitemap.pages or sitemap.children or "feed" not in self.options.discover:
            yield from self.follow_entries(sitemap.pages, response, "sitemap")
        else:  # robots.txt names feeds as sitemaps, too
            yield from self.parse_feed(response)

    def parse_feed(self, response: Response) -> Iterator[Request]:
        yield from self.follow_entries(feeds.parse_feed(response.body, response.url), response, "feed")

    def follow_entries(self, entries: Iterable[Entry], response: Response, way: str) -> Iterator[Request]:
        for entry in newest_first(list(entries)):
            request = self.frontier.entry(entry, way, self.parse_page)
            if request is not None:
                yield request

    def parse_front(self, response: Response) -> Iterator[Request]:
        self.frontier.adopt(response.url)
        if "feed" in self.options.discover and isinstance(response, HtmlResponse):
            found = feeds.feed_links(scan_head(response.text), response.url)
            for place in found or feeds.USUAL_PATHS:
                yield self.frontier.aside(response.url, place, self.parse_feed)
        yield from self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Request]:
        """The add-on makes the article; here only links are followed."""
        if "links" in self.options.discover and isinstance(response, HtmlResponse):
            yield from self.frontier.links(response, self.parse_page)
