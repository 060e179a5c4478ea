"""``scrapy crawl news -a sites=…``: the articles of whole news sites."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, Self

from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.asyncio import sleep

from cleancrawl.core.html.head import scan_head
from cleancrawl.core.site import domain_of
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.discovery import feeds, sitemaps
from cleancrawl.crawl.discovery.budgets import Allowance, Budgets
from cleancrawl.crawl.discovery.entries import Entry, newest_first
from cleancrawl.crawl.discovery.feed_texts import FeedTexts
from cleancrawl.crawl.discovery.frontier import FIRST_CHILDREN, Callback, Frontier
from cleancrawl.crawl.discovery.packed import MAX_BYTES, pieces
from cleancrawl.crawl.discovery.sitemaps import SitemapReader
from cleancrawl.crawl.discovery.spider_arguments import QUEUE, NewsArguments, read_switch
from cleancrawl.crawl.discovery.steering import Steering
from cleancrawl.crawl.fetching.prompt_stop import Stop
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
    budgets: Budgets
    stop: Stop
    feed_texts: FeedTexts | None = None

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
        steering = Steering.of(self.crawler) if config.steer else None
        self.frontier = Frontier(self.arguments, self.count, keep_dates=config.only_new, steering=steering)
        self.budgets = Budgets(Allowance.of(config, self.arguments.max_pages), self.count)
        self.stop = Stop.of(self.crawler)
        self.feed_texts = FeedTexts.of(self.crawler) if config.feed_texts else None

    def for_site(self, site: ListedSite, config: Config) -> Self:
        """The spider that crawls one site of the list, with the options of that site."""
        options = {name: value for name, value in site.options.items() if name in self.options}
        spider = type(self)(sites=" ".join(site.urls), **{**self.options, **options})
        spider._set_crawler(self.crawler)
        spider.prepare(config)
        return spider

    def count(self, what: str, amount: int = 1) -> None:
        self.crawler.stats.inc_value(f"cleancrawl/discovery/{what}", amount)

    async def start(self) -> AsyncIterator[Request]:
        for site in self.arguments.sites:
            if self.arguments.discover & {"sitemap", "feed"}:
                yield self.frontier.robots(site, self.parse_robots, self.no_robots)
            yield self.frontier.front(site, self.parse_front)

    def revisit(self, url: str) -> Request | None:
        """For an article of an earlier run that nothing has led to in this one."""
        return self.frontier.known(url, self.parse_page)

    def parse_robots(self, response: Response) -> Iterator[Request]:
        if "sitemap" in self.arguments.discover:
            found = sitemaps.from_robots(response.body, response.url) if response.status == 200 else []
            yield from self.look_aside(response.url, found or sitemaps.USUAL_PATHS, self.parse_sitemap)

    def no_robots(self, failure: Any) -> Iterator[Request]:
        if "sitemap" in self.arguments.discover:
            yield from self.look_aside(failure.request.url, sitemaps.USUAL_PATHS, self.parse_sitemap)

    def look_aside(self, base: str, places: Sequence[str], callback: Callback) -> Iterator[Request]:
        """For sitemaps or feeds, as many as the budget allows."""
        site = domain_of(base)
        for place in places[: self.budgets.documents(site, len(places))]:
            yield self.frontier.aside(base, place, callback, site, self.budgets.allowance.documents)

    async def parse_sitemap(self, response: Response) -> AsyncIterator[Request]:
        data, site = RequestData.of(response), self.found_for(response)
        reader, read = SitemapReader(response.url, self.budgets.entries_left(site)), 0
        for piece in pieces(response.body, min(MAX_BYTES, self.budgets.bytes_left(site))):
            reader.feed(piece)
            read += len(piece)
            if reader.full or self.stop.began:
                break
            await sleep(0)  # others are served between any two pieces
        sitemap = reader.close()
        self.spend(site, read, reader.counted)
        for request in self.children(sitemap.children, data, site):
            yield request
        if not reader.counted and "feed" in self.arguments.discover:  # robots.txt names feeds as sitemaps, too
            found = self.parse_feed(response)
        else:
            found = self.follow_entries(sitemap.pages, "sitemap")
        for request in found:
            yield request

    def found_for(self, response: Response) -> str:
        """The site whose budgets a sitemap or feed is charged to."""
        return RequestData.of(response).aside_of or domain_of(response.url)

    def spend(self, site: str, size: int, entries: int) -> None:
        if not self.budgets.spend(site, size, entries):
            self.stop.enough(site)

    def children(self, found: list[Entry], parent: RequestData, site: str) -> Iterator[Request]:
        if parent.sitemap_level >= sitemaps.MAX_LEVELS:
            return
        wanted = [child for child in newest_first(found) if self.arguments.window.reaches(child.modified)]
        taken = self.budgets.documents(site, len(wanted), always=FIRST_CHILDREN)
        for rank, child in enumerate(wanted[:taken]):
            yield self.frontier.child(child, rank, self.parse_sitemap, parent)

    def parse_feed(self, response: Response) -> Iterator[Request]:
        site = self.found_for(response)
        left = self.budgets.entries_left(site)
        if left and self.budgets.bytes_left(site) and not self.stop.began:
            entries = feeds.parse_feed(response.body, response.url, left)
            self.spend(site, min(len(response.body), feeds.MAX_BYTES), len(entries))
            if self.feed_texts is not None:
                self.count("feed-texts", self.feed_texts.add(entries, response.url))
                for url in self.feed_texts.come_late(entries):
                    yield self.frontier.once_more(url, self.parse_page)
            yield from self.follow_entries(entries, "feed")

    def follow_entries(self, entries: Iterable[Entry], way: str) -> Iterator[Request]:
        """Ask for what is newest, and for no more of it than ``max_pages`` can need."""
        asked = 0
        for entry in newest_first(list(entries)):
            if self.stop.began or asked == self.budgets.allowance.requests:
                return
            request = self.frontier.entry(entry, way, self.parse_page)
            if request is not None:
                asked += 1
                yield request

    def parse_front(self, response: Response) -> Iterator[Request]:
        self.frontier.adopt(response.url)
        if isinstance(response, HtmlResponse):
            self.count("front-pages")
        if "feed" in self.arguments.discover and isinstance(response, HtmlResponse):
            found = feeds.feed_links(scan_head(response.text), response.url)
            yield from self.look_aside(response.url, found or feeds.USUAL_PATHS, self.parse_feed)
        yield from self.parse_page(response)

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Request]:
        """For ``scrapy parse``: a page that was asked for by hand."""
        self.frontier.adopt(response.url)
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Request]:
        """The add-on makes the article; here only links are followed."""
        if "links" in self.arguments.discover and isinstance(response, HtmlResponse):
            yield from self.frontier.links(response, self.parse_page)
