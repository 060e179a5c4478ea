"""Again and again: only what is new or changed is fetched (``CLEANCRAWL_ONLY_NEW``)."""

from __future__ import annotations

import time
from collections.abc import Set
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response

from cleancrawl.core.app_shells import NEEDS_BROWSER
from cleancrawl.core.site import domain_of
from cleancrawl.core.text.iso_dates import latest_moment
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed
from cleancrawl.stores.protocol import PageState, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

HOUR, DAY = 3600.0, 86_400.0
LONGEST = 30 * DAY
PATIENCE = 0.5
"""A page is looked at again after this share of the time for which it has stayed the same."""
WHERE_NEWS_IS = frozenset({"front-page", "listing"})
CONDITIONAL = ("If-None-Match", "If-Modified-Since")


class NothingNew(IgnoreRequest):
    """A page that need not be fetched, or was not sent because it has not changed."""


def interval(state: PageState, shortest: float = HOUR) -> float:
    """Seconds until a page is worth another look: the longer it stayed the same, the longer it will.

    One that is gone may be back soon, or never: after each miss it waits twice as long.

    >>> state = PageState("https://a.example/", "a.example", 0, 10 * DAY, 200, changes=(0.0,))
    >>> gone = PageState("https://a.example/", "a.example", 0, 10 * DAY, 404, changes=(0.0,), misses=4)
    >>> interval(state) / DAY, interval(gone) / HOUR
    (5.0, 8.0)
    """
    if state.misses:
        return min(LONGEST, shortest * 2.0 ** min(state.misses - 1, 20))
    since = state.changes[-1] if state.changes else state.first_fetched
    return min(LONGEST, max(shortest, PATIENCE * (state.last_fetched - since)))


def is_due(state: PageState, announced: str | None, now: float, shortest: float = HOUR) -> bool:
    """Whether a known page is fetched again; ``announced`` is when a sitemap or feed says that it changed.

    With 0 as the ``shortest`` time between two looks every page is.

    >>> state = PageState("https://a.example/", "a.example", 0, 1_800_000_000, 200, version=1, changes=(0.0,))
    >>> is_due(state, None, 1_800_000_060), is_due(state, "2027-01-15T08:00:30Z", 1_800_000_060)
    (False, True)
    >>> is_due(state, "2026-01-01", 1_800_000_000 + 29 * DAY), is_due(state, None, 1_800_000_000 + 31 * DAY)
    (False, True)
    """
    if not shortest or state.reason in WHERE_NEWS_IS:
        return True
    changed = latest_moment(announced)
    if changed is not None and changed.timestamp() > state.last_fetched:
        return True
    # A date that is older than our copy vouches for it, though not for ever: some sites never set a new one.
    vouched = changed is not None and not state.misses
    patience = LONGEST if vouched else interval(state, shortest)
    return now - state.last_fetched >= patience


class RevisitMiddleware:
    """Downloader middleware: leaves out what is not due, asks for the rest on condition that it has changed.

    After a run of a site that was cut short, the pages of that run are fetched once more: their links were lost.
    """

    def __init__(self, session: Session, shortest: float) -> None:
        self.session = session
        self.shortest = shortest
        self.not_due: set[str] = set()
        self.announced: dict[str, str] = {}
        """Newer dates of pages that were asked for again: the first request for each may still be in the queue."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RevisitMiddleware:
        session = Session.of(crawler)
        if not session.config.only_new:
            raise NotConfigured
        middleware = cls(session, session.config.revisit_hours * HOUR)
        crawler.signals.connect(middleware.request_scheduled, signal=signals.request_scheduled)
        crawler.signals.connect(middleware.forget, signal=site_closed)
        return middleware

    def forget(self, domains: Set[str]) -> None:
        self.not_due = {url for url in self.not_due if domain_of(url) not in domains}
        self.announced = {url: date for url, date in self.announced.items() if domain_of(url) not in domains}

    def request_scheduled(self, request: Request) -> None:
        data = RequestData.of(request)
        if data.again and data.announced is not None:
            self.announced[request.url] = max(data.announced, self.announced.get(request.url, ""))

    def process_request(self, request: Request) -> None:
        data = RequestData.of(request)
        if request.method != "GET" or not data.cleaned or data.fresh or request.url.endswith("/robots.txt"):
            return
        if data.again and request.url not in self.not_due:
            raise NothingNew(f"asked for already: {request.url}")
        self.not_due.discard(request.url)
        for header in CONDITIONAL:
            request.headers.pop(header, None)
        state = unfinished_since = None
        with self.session.guarded_store():
            unfinished_since = self.session.runs.unfinished_since(self.session.config.site_of(request.url))
            state = self.session.store.page_states([request.url]).get(request.url)
        if state is not None and state.reason == NEEDS_BROWSER and self.session.config.browser != "never":
            return  # it was fetched, but not read
        if state is None or state.held or (unfinished_since is not None and state.last_fetched >= unfinished_since):
            return
        # By what is known now: the page may have been found by a link first.
        announced = max(filter(None, (data.announced, self.announced.get(request.url))), default=None)
        # Where a crawl begins it always looks, whatever it took the page for.
        if not data.roams and not is_due(state, announced, time.time(), self.shortest):
            self.not_due.add(request.url)
            self.session.counts.add("revisit/not-due")
            raise NothingNew(f"not due: {request.url}")
        # A front page is always read: it names the feeds. And what is back must come whole: its article was withdrawn.
        if not data.roams and not state.misses:
            for header, value in zip(CONDITIONAL, (state.etag, state.last_modified), strict=True):
                if value:
                    request.headers[header] = value.encode("latin-1", "replace")

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status != 304:
            return response
        self.session.counts.add("revisit/unchanged")
        site = self.session.config.site_of(request.url)
        with self.session.guarded_store():
            self.session.store.visit(Visit(site, request.url, time.time(), 304))
        raise NothingNew(f"unchanged: {request.url}")
