"""``scrapy crawl news -a sites=…``: the articles of whole news sites."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Self

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from cleancrawl.core.html.head import scan_head
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.discovery import feeds, sitemaps
from cleancrawl.crawl.discovery.entries import Entry, newest_first
from cleancrawl.crawl.discovery.frontier import Frontier
from cleancrawl.crawl.discovery.spider_arguments import QUEUE, NewsArguments, read_switch
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.errors import ConfigError
from cleancrawl.spiders.checked import CheckedSpider
from cleancrawl.stores.listed_sites import ListedSite


class NewsSpider(CheckedSpider):
    """Finds a site's pages through sitemaps, feeds and links, newest first, and stays on its registrable domain.

    ``sites`` (URLs or ``@file``), ``max_pages`` (per domain), ``since`` and ``until`` (days), ``depth`` (links from the
    front page), ``discover`` (of sitemap, feed, links).

    ``sites=queue`` takes sites from the store's list instead, again and again, or with ``once`` only those that are
    due; the other arguments are for sites that have no such options of their own.
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
        once: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.takes_sites = sites == QUEUE
        self.once = read_switch("once", once)
        self.options = {"since": since, "until": until, "max_pages": max_pages, "depth": depth, "discover": discover}
        self.arguments = NewsArguments.read("" if self.takes_sites else sites, **self.options)

    def check_complete(self) -> None:
        if not self.arguments.sites and not self.takes_sites:
            raise ConfigError("-a sites= needs one or more URLs (comma or blank between them), @file or queue")
        if self.once and not self.takes_sites:
            raise ConfigError("-a once= goes with -a sites=queue")

    def prepare(self, config: Config) -> None:
        self.frontier = Frontier(self.arguments, self.count, keep_dates=config.only_new)

    def for_site(self, site: ListedSite, config: Config) -> Self:
        """The spider that crawls one site of the list, with the options of that site."""
        options = {name: value for name, value in site.options.items() if name in self.options}
        spider = type(self)(sites=" ".join(site.urls), **{**self.options, **options})
        spider._set_crawler(self.crawler)
        spider.prepare(config)
        return spider

    def count(self, what: str) -> None:
        self.crawler.stats.inc_value(f"cleancrawl/discovery/{what}")

    async def start(self) -> AsyncIterator[Request]:
        for site in self.arguments.sites:
            if self.arguments.discover & {"sitemap", "feed"}:
                yield self.frontier.aside(site, "/robots.txt", self.parse_robots, self.no_robots)
            yield self.frontier.front(site, self.parse_front)

    def revisit(self, url: str) -> Request | None:
        """For an article of an earlier run that nothing has led to in this one."""
        return self.frontier.known(url, self.parse_page)

    def parse_robots(self, response: Response) -> Iterator[Request]:
        if "sitemap" in self.arguments.discover:
            found = sitemaps.from_robots(response.body, response.url) if response.status == 200 else []
            for place in found or sitemaps.USUAL_PATHS:
                yield self.frontier.aside(response.url, place, self.parse_sitemap)

    def no_robots(self, failure: Any) -> Iterator[Request]:
        if "sitemap" in self.arguments.discover:
            for place in sitemaps.USUAL_PATHS:
                yield self.frontier.aside(failure.request.url, place, self.parse_sitemap)

    def parse_sitemap(self, response: Response) -> Iterator[Request]:
        sitemap = sitemaps.parse_sitemap(response.body, response.url)
        level = RequestData.of(response).sitemap_level
        if level < sitemaps.MAX_LEVELS:
            for child in newest_first(sitemap.children)[: sitemaps.MAX_CHILDREN]:
                if self.arguments.window.reaches(child.modified):
                    yield self.frontier.aside(response.url, child.url, self.parse_sitemap, level=level + 1)
        if sitemap.pages or sitemap.children or "feed" not in self.arguments.discover:
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
        if isinstance(response, HtmlResponse):
            self.count("front-pages")
        if "feed" in self.arguments.discover and isinstance(response, HtmlResponse):
            found = feeds.feed_links(scan_head(response.text), response.url)
            for place in found or feeds.USUAL_PATHS:
                yield self.frontier.aside(response.url, place, self.parse_feed)
        yield from self.parse_page(response)

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Request]:
        """For ``scrapy parse``: a page that was asked for by hand."""
        self.frontier.adopt(response.url)
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Request]:
        """The add-on makes the article; here only links are followed."""
        if "links" in self.arguments.discover and isinstance(response, HtmlResponse):
            yield from self.frontier.links(response, self.parse_page)
