"""Pages that are parts of an article: none is fetched for its own sake once its article has it."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from cleancrawl.core.parts.part_addresses import places
from cleancrawl.core.site import domain_of, registrable_domain
from cleancrawl.crawl.fetching.revisit import NothingNew
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MOST_TAKEN = 100_000
"""Addresses of parts that are remembered in a crawl, 200 bytes each."""
MOST_WAITING = 1_000
"""Parts whose first page is awaited."""
IN_VAIN = 3
"""A site on which so many pagers have led to no part, and none to one, has pagers of another kind."""


def spelling(url: str) -> str:
    """One spelling of an address, for comparisons alone.

    >>> spelling("https://www.a.example/storm/?utm_source=x") == spelling("http://a.example/storm")
    True
    """
    return next((place.story for place in places(url)), url)


class KnownParts(OnePerCrawl):
    """Which pages have become parts of which article in this crawl, and which wait for their first page."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.taken: OrderedDict[str, str] = OrderedDict()
        """First pages by the spelling of each part."""
        self.waiting: dict[str, list[Request]] = {}
        """By the spelling of the first page: the requests that have brought parts of it."""
        self.tried: Counter[str] = Counter()
        """How many pagers of a site have led to nothing, less all where one has led to a part."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KnownParts:
        known = cls(crawler)
        crawler.signals.connect(known.forget, signal=site_closed)
        crawler.signals.connect(known.end, signal=signals.spider_closed)
        return known

    def forget(self, domains: Set[str]) -> None:
        for url, first in list(self.taken.items()):
            if domain_of(first) in domains:
                del self.taken[url]
        for first in [first for first in self.waiting if domain_of(f"http://{first}") in domains]:
            del self.waiting[first]
        for site in [site for site in self.tried if registrable_domain(site) in domains]:
            del self.tried[site]

    def end(self) -> None:
        self.waiting.clear()

    def take(self, url: str, first: str) -> None:
        self.taken[spelling(url)] = first
        if len(self.taken) > MOST_TAKEN:
            self.taken.popitem(last=False)

    def first_of(self, url: str) -> str | None:
        """The first page of the article that has this page as a part."""
        return self.taken.get(spelling(url)) if self.taken else None

    def is_hopeful(self, site: str) -> bool:
        """Whether pagers of a site may lead to parts, by what came of them so far."""
        return self.tried[site] < IN_VAIN

    def learn(self, site: str, *, found: bool) -> None:
        self.tried[site] = -MOST_TAKEN if found else self.tried[site] + 1

    def wait(self, first: str, part: Request) -> bool:
        """Remember a part until its first page is there; False where too many wait already."""
        if len(self.waiting) >= MOST_WAITING:
            return False
        self.waiting.setdefault(spelling(first), []).append(part)
        return True

    def settle(self, urls: Iterable[str]) -> None:
        """A first page has come, or has failed: what it does not have is an article of its own."""
        for url in urls if self.waiting else ():
            for part in self.waiting.pop(spelling(url), ()):
                if self.first_of(part.url) is None and self.crawler.engine is not None:
                    data = replace(RequestData.of(part), alone=True, fresh=True, again=False)
                    self.crawler.engine.crawl(part.replace(dont_filter=True, meta=data.to_meta()))


class PartRequestsMiddleware:
    """Downloader middleware next to the engine: leaves out what an article has already, and sees first pages fail."""

    def __init__(self, session: Session, known: KnownParts) -> None:
        self.session = session
        self.known = known

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PartRequestsMiddleware:
        session = Session.of(crawler)
        if session.config.parts < 2:
            raise NotConfigured
        return cls(session, KnownParts.of(crawler))

    def process_request(self, request: Request) -> None:
        data = RequestData.of(request)
        if data.cleaned and not data.alone and self.known.first_of(request.url) is not None:
            self.session.counts.add("parts/spared")
            raise NothingNew(f"a part of an article that has it: {request.url}")

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status >= 400:
            self.known.settle(asked_as(request))
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if not self.known.waiting:
            return
        if isinstance(exception, NothingNew):
            # Not due, so that its article is there already, perhaps with this part.
            stored = None
            with self.session.guarded_store():
                stored = self.session.store.article(request.url)
            if stored is not None and stored.article is not None and (stored.article.get("parts") or 0) > 1:
                for url in asked_as(request):
                    self.known.waiting.pop(spelling(url), None)
        self.known.settle(asked_as(request))


def asked_as(message: Request | Response) -> list[str]:
    """The addresses that a page goes by: as it was asked for, and as it was redirected to."""
    return [*message.meta.get("redirect_urls", ()), message.url]
