"""What ends the crawl of a domain: its borders, also for redirects, ``-a max_pages=``, and budgets for discovery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from cleancrawl.core.metadata.dates import url_date
from cleancrawl.core.site import domain_of
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.discovery.packed import MAX_BYTES
from cleancrawl.crawl.fetching.prompt_stop import NotAskedFor, Stop
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class CrawlLimitsMiddleware:
    """Downloader middleware. Only the queue knows what is newest, so the limit is applied behind it."""

    def __init__(self, counts: Counts, pages_left: dict[str, int], stop: Stop, document_size: int) -> None:
        self.counts = counts
        self.pages_left = pages_left
        self.stop = stop
        self.document_size = document_size
        self.documents: Counter[str] = Counter()
        """Sitemaps and feeds fetched for each registrable domain."""
        self.spent: Counter[str] = Counter()
        """Pages fetched of each registrable domain."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CrawlLimitsMiddleware:
        session = Session.of(crawler)
        size = min(crawler.settings.getint("DOWNLOAD_MAXSIZE") or MAX_BYTES, MAX_BYTES)
        middleware = cls(session.counts, session.pages_left, Stop.of(crawler), size)
        crawler.signals.connect(middleware.forget, signal=site_closed)
        return middleware

    def forget(self, domains: Set[str]) -> None:
        """The next run of a site may fetch as many again."""
        for domain in domains:
            self.spent.pop(domain, None)
            self.documents.pop(domain, None)
            self.pages_left.pop(domain, None)
            self.stop.satisfied.discard(domain)

    def process_request(self, request: Request) -> None:
        self.stop.refuse(request)
        data = RequestData.of(request)
        if data.aside_of is not None:
            self._check_document(request, data.aside_of, data)
        if data.domain is None or request.meta.get("retry_times") or data.again:
            return
        if request.meta.get("redirect_times"):
            if not data.roams:
                self._check_redirect(request.url, data)
        elif data.rendered:
            return  # asked for once more, by the browser: it was counted
        elif data.part_of is not None:
            # It counts, but is never refused: half an article would be worse than a page too many.
            self.spent[data.domain] += 1
        elif data.max_pages is not None and self.spent[data.domain] >= data.max_pages:
            self._refuse("over-max-pages", f"{data.max_pages} pages of {data.domain} were fetched")
        else:
            self.spent[data.domain] += 1
            if data.max_pages is not None:
                self.pages_left[data.domain] = data.max_pages - self.spent[data.domain]
                if not self.pages_left[data.domain]:
                    self.stop.enough(data.domain)

    def _check_document(self, request: Request, domain: str, data: RequestData) -> None:
        # Scrapy unpacks what comes packed (Content-Encoding) as a whole, by default up to a gigabyte.
        request.meta.setdefault("download_maxsize", self.document_size)
        if request.meta.get("redirect_times") or request.meta.get("retry_times"):
            return
        if data.max_documents is not None and self.documents[domain] >= data.max_documents:
            self._refuse("over-documents", f"{data.max_documents} documents were fetched for {domain}", NotAskedFor)
        self.documents[domain] += 1

    def _check_redirect(self, url: str, data: RequestData) -> None:
        if domain_of(url) != data.domain:
            self._refuse("off-site-redirect", f"redirected from {data.domain} to {url}")
        if not data.window.admits(url_date(url)):
            self._refuse("outside-dates", f"redirected to {url}")

    def _refuse(self, reason: str, message: str, kind: type[IgnoreRequest] = IgnoreRequest) -> None:
        self.counts.add(f"discovery/{reason}")
        raise kind(message)
