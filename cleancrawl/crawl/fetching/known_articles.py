"""Articles that nothing leads to any more: a harvest looks at them again by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Set
from itertools import islice
from typing import TYPE_CHECKING

from scrapy import Request, Spider, signals
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response

from cleancrawl.core.site import registrable_domain
from cleancrawl.crawl.fetching.revisit import HOUR, interval, is_due
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed, site_quiet
from cleancrawl.scale.leases import Held
from cleancrawl.stores.protocol import PageState

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MOST_LOOKED_AT = 10_000
"""States of a site that are taken from the store at once, a few megabytes."""
MOST_MISSES = 12
"""A page that so many runs have missed is left alone; the waits between them double, so that is months later."""


class KnownArticlesExtension:
    """Asks for known articles of the sites of this crawl when nothing else is left to do, once per site.

    What is deleted is taken out of sitemaps, feeds and listings as well: nothing would ever lead to it again. A spider
    that wants this has a method ``revisit(url)``, which gives a request, or None where it has met the page already.
    """

    def __init__(self, session: Session, crawler: Crawler) -> None:
        self.session = session
        self.crawler = crawler
        self.shortest = session.config.revisit_hours * HOUR
        self.sites: set[str] = set()
        self.done: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KnownArticlesExtension:
        session = Session.of(crawler)
        if not session.config.only_new or not session.config.revisit_pages or not hasattr(crawler.spidercls, "revisit"):
            raise NotConfigured
        extension = cls(session, crawler)
        crawler.signals.connect(extension.response_received, signal=signals.response_received)
        if session.leases is None:
            crawler.signals.connect(extension.idle, signal=signals.spider_idle)
        crawler.signals.connect(extension.site_quiet, signal=site_quiet)
        crawler.signals.connect(extension.forget, signal=site_closed)
        return extension

    def response_received(self, response: Response, request: Request) -> None:
        # A site that does not answer with pages is left in peace.
        if response.status == 200 and RequestData.of(request).domain is not None:
            self.sites.add(self.session.config.site_of(request.url))

    def idle(self, spider: Spider) -> None:
        if self.ask(self.sites - self.done, spider.revisit):  # type: ignore[attr-defined]
            raise DontCloseSpider

    def site_quiet(self, held: Held, revisit: Callable[[str], Request | None]) -> None:
        leases = self.session.leases
        self.ask({site for site in self.sites - self.done if leases and leases.of_site(site) is held}, revisit)

    def forget(self, domains: Set[str]) -> None:
        for known in (self.sites, self.done):
            known -= {site for site in known if registrable_domain(site) in domains}

    def ask(self, sites: Set[str], revisit: Callable[[str], Request | None]) -> bool:
        self.done.update(sites)
        requests = [request for site in sorted(sites) for request in self.requests(site, revisit)]
        for request in requests:
            self.crawler.engine.crawl(request)
        if requests:
            self.session.counts.add("revisit/known", len(requests))
        return bool(requests)

    def requests(self, site: str, revisit: Callable[[str], Request | None]) -> Iterator[Request]:
        """For the articles of a site that are due, those first that are most overdue."""
        now, states = time.time(), list[PageState]()
        with self.session.guarded_store():
            states = self.session.store.stale(site, min(self.session.begun(site), now - self.shortest), MOST_LOOKED_AT)
        due = [
            state
            for state in states
            if state.misses < MOST_MISSES and not state.held and is_due(state, None, now, self.shortest)
        ]
        due.sort(key=lambda state: (now - state.last_fetched) / max(1.0, interval(state, self.shortest)), reverse=True)
        found = (request for state in due if (request := revisit(state.url)) is not None)
        return islice(found, self.session.config.revisit_pages)
