"""Which of the pages that were found are requested, from where, and how soon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urljoin

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from cleancrawl.core.metadata.dates import url_date
from cleancrawl.core.site import domain_of
from cleancrawl.core.text.url_spelling import normalise_url
from cleancrawl.crawl.discovery.distances import Distances
from cleancrawl.crawl.discovery.entries import MOST_FRESH, Entry, freshness
from cleancrawl.crawl.discovery.page_links import page_links
from cleancrawl.crawl.discovery.page_urls import (
    goes_in_circles,
    is_for_news,
    is_named,
    looks_like_story,
    url_pattern,
    without_page_number,
    without_tokens,
)
from cleancrawl.crawl.discovery.spider_arguments import NewsArguments
from cleancrawl.crawl.discovery.steering import Steering
from cleancrawl.crawl.request_data import RequestData

Callback = Callable[..., Any]

ASIDE_PRIORITY = 200
"""Sitemaps and feeds come before pages: they know what is new."""
NEWS_FIRST = 2
"""Sitemaps of news come before others: pages are asked for while the last sitemaps are still under way."""
FIRST_CHILDREN = 5
"""So many sitemaps of each index come before further indexes, the others behind them: no index hides another."""
FRONT_PRIORITY = 100
STORY_PRIORITY = 10
KNOWN_PRIORITY = -10
STORIES_PER_PATTERN = 20_000
LISTINGS_PER_PATTERN = 100
"""Pages of one URL shape, followed by links, that do not look like articles: what bounds calendars and filters."""
PAGES_OF_ONE = 100
"""Further pages of one listing or article."""
SESSIONS_OF_ONE = 3
"""Addresses of one article that differ in what looks like a session."""


class Frontier:
    """Turns what was found into requests; what is off the domain, outside the dates or a trap is counted and left.

    ``count`` is told what becomes of each link. With ``keep_dates`` a page is asked for again where a newer date of
    it is announced. With ``steering``, what cleaning tells about links decides which of them come first.
    """

    def __init__(
        self,
        arguments: NewsArguments,
        count: Callable[[str], None],
        *,
        keep_dates: bool = False,
        steering: Steering | None = None,
    ) -> None:
        self.arguments = arguments
        self.count = count
        self.domains = {domain_of(site) for site in arguments.sites}
        """Registrable domains, whatever ``CLEANCRAWL_SITE_KEY`` is: ``www.`` and ``sport.`` are one crawl."""
        self.distances = Distances(arguments.depth)
        self.keep_dates = keep_dates
        self.announced: dict[str, str] = {}
        """When pages changed, as sitemaps and feeds say: a link to a page may be found before its date is."""
        self.patterns: Counter[str] = Counter()
        self.extractor = LinkExtractor(unique=False)
        self.steering = steering
        if steering is not None:
            steering.in_use = True
        self.now = datetime.now(UTC)

    def adopt(self, url: str) -> None:
        """The domain that a given site's front page led to is crawled, too."""
        self.domains.add(domain_of(url))

    def robots(self, site: str, callback: Callback, errback: Callback) -> Request:
        """For a site's robots.txt, which names its sitemaps."""
        return self._aside(urljoin(site, "/robots.txt"), callback, ASIDE_PRIORITY, RequestData(cleaned=False), errback)

    def aside(self, base: str, place: str, callback: Callback, site: str, most: int) -> Request:
        """A document that only helps to find pages: one of at most so many for a site."""
        data = RequestData(cleaned=False, aside_of=site, max_documents=most)
        priority = ASIDE_PRIORITY + NEWS_FIRST * is_for_news(place)
        return self._aside(urljoin(base, place), callback, priority, data)

    def child(self, entry: Entry, rank: int, callback: Callback, parent: RequestData) -> Request:
        """A sitemap that another one names, as which of all that it names, the newest first."""
        data = replace(parent, sitemap_level=parent.sitemap_level + 1)
        later = ASIDE_PRIORITY - MOST_FRESH - 1 + freshness(entry.modified, self.now)
        return self._aside(entry.url, callback, ASIDE_PRIORITY + 1 if rank < FIRST_CHILDREN else later, data)

    def _aside(
        self, url: str, callback: Callback, priority: int, data: RequestData, errback: Callback | None = None
    ) -> Request:
        meta = {"handle_httpstatus_list": [404, 410], **data.to_meta()}
        return Request(url, callback, errback=errback, priority=priority, meta=meta)

    def front(self, url: str, callback: Callback) -> Request:
        self.distances.reach(url, 0)
        return self._request(url, callback, FRONT_PRIORITY, replace(self._data(url, hops=0), roams=True))

    def entry(self, entry: Entry, way: str, callback: Callback) -> Request | None:
        """A page that a sitemap or feed names; None where it was found before and nothing is new about it."""
        url = self._normalised(entry.url)
        if url is None or not self._wanted(url, entry.date):
            return None
        self.count(f"found-by-{way}")
        first = bool(self.distances.reach(url, self.arguments.depth))
        newer = self.keep_dates and (entry.date or "") > self.announced.get(url, "")
        if newer:
            self.announced[url] = entry.date or ""
        if not first and not newer:
            return None
        data = replace(self._data(url, self.arguments.depth), announced=entry.date, again=not first)
        return self._request(url, callback, freshness(entry.date, self.now), data)

    def once_more(self, url: str, callback: Callback) -> Request:
        """A page that this crawl has fetched, of which a feed has brought the text."""
        data = replace(self._data(url, self.arguments.depth), fresh=True)
        return self._request(url, callback, STORY_PRIORITY, data).replace(dont_filter=True)

    def known(self, url: str, callback: Callback) -> Request | None:
        """A page of an earlier crawl; None where this one has found it, or does not want it."""
        place = self._normalised(url)
        wanted = domain_of(url) in self.domains and self.arguments.window.admits(url_date(url))
        if place is None or not wanted or not self.distances.reach(place, self.arguments.depth):
            return None
        return self._request(url, callback, KNOWN_PRIORITY, self._data(url, self.arguments.depth))

    def links(self, response: HtmlResponse, callback: Callback) -> Iterator[Request]:
        """The site's pages that a page links to, and those that it brings within the depth."""
        data = RequestData.of(response)
        if not self.distances.can_matter(data.hops):
            return
        links: dict[str, list[str]] = {}
        for link, texts in page_links(response, self.extractor).items():
            if (url := self._normalised(link)) is not None:
                links.setdefault(url, []).extend(texts)
        wanted = [url for url in links if self._wanted(url, url_date(url))]
        found_as, place = data.found_as or response.url, self._normalised(response.url)
        leads = False
        for url, distance in self.distances.read(found_as, data.hops, wanted, place):
            self.count("found-by-links")
            if not self._is_trap(url):
                leads = leads or looks_like_story(url)
                yield self._link(response, url, links.get(url, ()), self._data(url, distance), callback)
        if leads and self.steering is not None:
            self.steering.shapes.led(found_as)

    def _link(
        self, response: HtmlResponse, url: str, texts: Sequence[str], data: RequestData, callback: Callback
    ) -> Request:
        if self.steering is None:
            rank = STORY_PRIORITY if looks_like_story(url) else 0
        else:
            expected = self.steering.expected(response, url, texts)
            rank = self.steering.rank(url, expected)
            data = replace(data, expected=expected, rank=rank)
        return self._request(url, callback, rank + freshness(url_date(url), self.now), data)

    def _data(self, url: str, hops: int) -> RequestData:
        window = self.arguments.window
        return RequestData(
            domain=domain_of(url),
            max_pages=self.arguments.max_pages,
            since=_written(window.since),
            until=_written(window.until),
            hops=hops,
            found_as=url,
        )

    def _request(self, url: str, callback: Callback, priority: int, data: RequestData) -> Request:
        return Request(url, callback, priority=priority, dont_filter=data.again, meta=data.to_meta())

    def _normalised(self, url: str) -> str | None:
        try:
            return normalise_url(url)
        except ValueError:
            self.count("broken-url")
            return None

    def _wanted(self, url: str, date: str | None) -> bool:
        if domain_of(url) not in self.domains or not url.startswith(("http://", "https://")):
            self.count("off-site")
            return False
        if not self.arguments.window.admits(date):
            self.count("outside-dates")
            return False
        return True

    def _is_trap(self, url: str) -> bool:
        limits = {url_pattern(url): STORIES_PER_PATTERN if is_named(url) else LISTINGS_PER_PATTERN}
        if listing := without_page_number(url):
            limits[f"page {listing}"] = PAGES_OF_ONE
        if article := without_tokens(url):
            limits[f"session {article}"] = SESSIONS_OF_ONE
        self.patterns.update(limits.keys())
        if any(self.patterns[key] > limit for key, limit in limits.items()) or goes_in_circles(url):
            self.count("trap")
            return True
        return False


def _written(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
