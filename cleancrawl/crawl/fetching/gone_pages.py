"""Pages that are gone: an article that two runs have missed is withdrawn (``CLEANCRAWL_WITHDRAW_AFTER``)."""

from __future__ import annotations

import logging
import time
from collections.abc import Set
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.http import Response

from cleancrawl.core.site import domain_of
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed
from cleancrawl.stores.page_rules import GONE, misses
from cleancrawl.stores.protocol import PageState, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

GONE_STATUSES = frozenset({404, 410})
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class GonePagesMiddleware:
    """Downloader middleware behind the redirects: it sees where an article sends its readers.

    A server that is down, fails or refuses says nothing about a page. One that sends the readers of an article to the
    front page says that there is no article.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.front_pages: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> GonePagesMiddleware:
        middleware = cls(Session.of(crawler))
        crawler.signals.connect(middleware.forget, signal=site_closed)
        return middleware

    def forget(self, domains: Set[str]) -> None:
        self.front_pages = {url for url in self.front_pages if domain_of(url) not in domains}

    def process_response(self, request: Request, response: Response) -> Response:
        data = RequestData.of(request)
        if data.roams:
            self.front_pages.add(request.url)
        gone = response.status in GONE_STATUSES
        if data.cleaned and not is_robots(request.url) and (gone or self._leads_home(request, response)):
            with self.session.guarded_store():
                self._missed(request, response.status, always=gone)
        return response

    def _leads_home(self, request: Request, response: Response) -> bool:
        if response.status not in REDIRECTS or "Location" not in response.headers:
            return False
        try:
            target = urljoin(request.url, (response.headers["Location"] or b"").decode("latin-1").strip())
            parts = urlsplit(target)
        except ValueError:
            return False
        home = target in self.front_pages or (parts.path in ("", "/") and not parts.query)
        return home and target != request.url and domain_of(target) == domain_of(request.url)

    def _missed(self, request: Request, status: int, *, always: bool) -> None:
        """Remember the page, and whatever article led to it; ``always`` also where the page was never an article."""
        store, now = self.session.store, time.time()
        urls = dict.fromkeys((*request.meta.get("redirect_urls", ()), request.url))
        states = store.page_states(list(urls))
        for url in urls:
            state = states.get(url)
            if (always and url == request.url) or (state is not None and state.version):
                site = self.session.config.site_of(url)
                visit = Visit(site, url, now, status, reason=GONE, run=self.session.begun(site))
                store.visit(visit)
                self._withdraw(state, visit)

    def _withdraw(self, state: PageState | None, visit: Visit) -> None:
        after = self.session.config.withdraw_after
        if state is None or not state.version or not after or misses(state, visit) < after:
            return
        if self.session.store.withdraw(visit.url, visit.fetched):
            self.session.counts.add("withdrawn")
            logger.info("cleancrawl: withdrawn, its page is gone: %s", visit.url)


def is_robots(url: str) -> bool:
    return "/robots.txt" in url and urlsplit(url).path == "/robots.txt"
