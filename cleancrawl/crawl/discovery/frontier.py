"""Which of the pages that were found are requested, from where, and how soon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from cleancrawl.core.metadata.dates import url_date
from cleancrawl.core.site import site_key
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.discovery.distances import Distances
from cleancrawl.crawl.discovery.entries import Entry, freshness
from cleancrawl.crawl.discovery.options import Options
from cleancrawl.crawl.discovery.page_urls import goes_in_circles, looks_like_story, normalise_url, url_pattern
from cleancrawl.crawl.fetching.site_limits import AGAIN, DATE, MAX_PAGES, ROAMS, SITE, WINDOW

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

Callback = Callable[..., Any]

HOPS = "cleancrawl_hops"
FOUND_AS = "cleancrawl_found_as"
"""Request meta: the address of a page before redirects."""
ASIDE_PRIORITY = 200
"""Sitemaps and feeds come before pages: they know what is new."""
FRONT_PRIORITY = 100
STORY_PRIORITY = 10
STORIES_PER_PATTERN = 20_000
LISTINGS_PER_PATTERN = 100
"""Pages of one URL shape, followed by links, that do not look like articles: what bounds calendars and filters."""


class Frontier:
    """Turns what was found into requests; what is off the site, outside the dates or a trap is counted and left."""

    def __init__(self, options: Options, crawler: Crawler) -> None:
        self.options = options
        self.crawler = crawler
        self.sites = {site_key(site) for site in options.sites}
        self.distances = Distances(options.depth)
        self.keep_dates = Config.from_settings(crawler.settings).only_new
        self.announced: dict[str, str] = {}
        """When pages changed, as sitemaps and feeds say: a link to a page may be found before its date is."""
        self.patterns: Counter[str] = Counter()
        self.extractor = LinkExtractor(unique=True)
        self.now = datetime.now(UTC)

    def adopt(self, url: str) -> None:
        """The place where a given site's front page led to counts as the site."""
        self.sites.add(site_key(url))

    def aside(self, base: str, place: str, callback: Callback, errback: Callback | None = None, **meta: Any) -> Request:
        """A document that only helps to find pages."""
        return Request(
            urljoin(base, place),
            callback,
            errback=errback,
            priority=ASIDE_PRIORITY,
            meta={"cleancrawl": False, "handle_httpstatus_list": [404, 410], **meta},
        )

    def front(self, url: str, callback: Callback) -> Request:
        self.distances.reach(url, 0)
        request = self.page(url, callback, FRONT_PRIORITY, hops=0)
        request.meta[ROAMS] = True
        return request

    def entry(self, entry: Entry, way: str, callback: Callback) -> Request | None:
        """A page that a sitemap or feed names; None where it was found before and nothing is new about it."""
        url = self._normalised(entry.url)
        if url is None or not self._wanted(url, entry.date):
            return None
        self._count(f"found-by-{way}")
        first = bool(self.distances.reach(url, self.options.depth))
        newer = self.keep_dates and (entry.date or "") > self.announced.get(url, "")
        if newer:
            self.announced[url] = entry.date or ""
        if not first and not newer:
            return None
        request = self.page(url, callback, freshness(entry.date, self.now), hops=self.options.depth)
        request.meta[DATE] = entry.date
        return request if first else request.replace(dont_filter=True, meta={**request.meta, AGAIN: True})

    def links(self, response: HtmlResponse, callback: Callback) -> Iterator[Request]:
        """The site's pages that a page links to, and those that it brings within the depth."""
        hops = response.meta.get(HOPS, 0)
        if not self.distances.can_matter(hops):
            return
        links = (self._normalised(link.url) for link in self.extractor.extract_links(response))
        wanted = [url for url in links if url is not None and self._wanted(url, url_date(url))]
        found_as, place = response.meta.get(FOUND_AS, response.url), self._normalised(response.url)
        for url, distance in self.distances.read(found_as, hops, wanted, place):
            self._count("found-by-links")
            if not self._is_trap(url):
                priority = STORY_PRIORITY if looks_like_story(url) else 0
                yield self.page(url, callback, priority + freshness(url_date(url), self.now), distance)

    def page(self, url: str, callback: Callback, priority: int, hops: int) -> Request:
        limits = {SITE: site_key(url), MAX_PAGES: self.options.max_pages, WINDOW: self.options.window}
        return Request(url, callback, priority=priority, meta={HOPS: hops, FOUND_AS: url, **limits})

    def _normalised(self, url: str) -> str | None:
        try:
            return normalise_url(url)
        except ValueError:
            self._count("broken-url")
            return None

    def _wanted(self, url: str, date: str | None) -> bool:
        if site_key(url) not in self.sites or not url.startswith(("http://", "https://")):
            self._count("off-site")
            return False
        if not self.options.window.admits(date):
            self._count("outside-dates")
            return False
        return True

    def _is_trap(self, url: str) -> bool:
        pattern = url_pattern(url)
        limit = STORIES_PER_PATTERN if looks_like_story(url) else LISTINGS_PER_PATTERN
        self.patterns[pattern] += 1
        if self.patterns[pattern] > limit or goes_in_circles(url):
            self._count("trap")
            return True
        return False

    def _count(self, what: str) -> None:
        self.crawler.stats.inc_value(f"cleancrawl/discovery/{what}")
