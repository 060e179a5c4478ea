"""What ends the crawl of a domain: its borders, also for redirects, and ``-a max_pages=``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from cleancrawl.core.metadata.dates import url_date
from cleancrawl.core.site import domain_of
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class CrawlLimitsMiddleware:
    """Downloader middleware. Only the queue knows what is newest, so the limit is applied behind it."""

    def __init__(self, counts: Counts, pages_left: dict[str, int]) -> None:
        self.counts = counts
        self.pages_left = pages_left
        self.spent: Counter[str] = Counter()
        """Pages fetched of each registrable domain."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CrawlLimitsMiddleware:
        session = Session.of(crawler)
        middleware = cls(session.counts, session.pages_left)
        crawler.signals.connect(middleware.forget, signal=site_closed)
        return middleware

    def forget(self, domains: Set[str]) -> None:
        """The next run of a site may fetch as many again."""
        for domain in domains:
            self.spent.pop(domain, None)
            self.pages_left.pop(domain, None)

    def process_request(self, request: Request) -> None:
        data = RequestData.of(request)
        if data.domain is None or request.meta.get("retry_times") or data.again:
            return
        if request.meta.get("redirect_times"):
            if not data.roams:
                self._check_redirect(request.url, data)
        elif data.max_pages is not None and self.spent[data.domain] >= data.max_pages:
            self._refuse("over-max-pages", f"{data.max_pages} pages of {data.domain} were fetched")
        else:
            self.spent[data.domain] += 1
            if data.max_pages is not None:
                self.pages_left[data.domain] = data.max_pages - self.spent[data.domain]

    def _check_redirect(self, url: str, data: RequestData) -> None:
        if domain_of(url) != data.domain:
            self._refuse("off-site-redirect", f"redirected from {data.domain} to {url}")
        if not data.window.admits(url_date(url)):
            self._refuse("outside-dates", f"redirected to {url}")

    def _refuse(self, reason: str, message: str) -> None:
        self.counts.add(f"discovery/{reason}")
        raise IgnoreRequest(message)
