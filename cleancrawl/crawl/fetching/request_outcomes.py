"""What became of every request, with one example per outcome: so that "0 articles" can say why."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from cleancrawl.crawl.fetching.gone_pages import GONE_STATUSES, is_robots
from cleancrawl.crawl.fetching.leased_requests import NotOurs
from cleancrawl.crawl.fetching.politeness import LeftForLater
from cleancrawl.crawl.fetching.private_addresses import PrivateAddress
from cleancrawl.crawl.fetching.prompt_stop import NotAskedFor
from cleancrawl.crawl.fetching.revisit import NothingNew
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.stores.protocol import Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class OutcomesMiddleware:
    """Downloader middleware next to the engine: it sees what retries and redirects have left over."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> OutcomesMiddleware:
        return cls(Session.of(crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        aside = not RequestData.of(request).cleaned or is_robots(request.url)
        if response.status >= 400 and not aside:
            reason = f"http-{response.status}"
            self.session.counts.outcome(reason, request.url)
            if response.status not in GONE_STATUSES:  # remembered where they are seen first
                self.remember(request.url, response.status, reason)
        return response

    def remember(self, url: str, status: int, reason: str) -> None:
        site = self.session.config.site_of(url)
        with self.session.guarded_store():
            self.session.store.visit(Visit(site, url, time.time(), status, reason=reason))

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, (NothingNew, PrivateAddress, LeftForLater, NotAskedFor, NotOurs)):
            return  # counted where they were raised
        if isinstance(exception, IgnoreRequest):
            reason = "robots.txt" if "robots.txt" in str(exception) else "left-out"
        else:
            reason = type(exception).__name__
        self.session.counts.outcome(reason, request.url)
