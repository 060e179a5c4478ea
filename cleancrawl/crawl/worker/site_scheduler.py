"""What waits to be fetched, site by site: counted, bounded, and forgotten with the site.

The order is Scrapy's own: the site with the fewest downloads under way goes first, and sites that are equal in that
take turns; within a site the highest priority does.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import RFPDupeFilter

from cleancrawl.crawl.request_data import RequestData

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

MOST_QUEUED = 20_000
"""Requests of a site that wait at a time, about two kilobytes each; what is found beyond it is left for the next run,
in which these need not be fetched any more."""


class SiteDupeFilter(RFPDupeFilter):
    """Which pages were asked for in this run of a site."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = super().from_crawler(crawler)
        made.by_lease = {}
        return made

    by_lease: dict[int | None, set[bytes]]

    def request_seen(self, request: Request) -> bool:
        seen, fingerprint = self.by_lease.setdefault(RequestData.of(request).lease, set()), self._fingerprint(request)
        if fingerprint in seen:
            return True
        seen.add(fingerprint)
        return False

    def forget(self, token: int) -> None:
        self.by_lease.pop(token, None)


class SiteScheduler(Scheduler):
    def open(self, spider: Spider) -> Deferred[None] | None:
        self.queued: Counter[int | None] = Counter()
        self.left_out: Counter[int | None] = Counter()
        opened: Deferred[None] | None = super().open(spider)
        return opened

    def enqueue_request(self, request: Request) -> bool:
        token = RequestData.of(request).lease
        if self.queued[token] >= MOST_QUEUED:
            self.left_out[token] += 1
            if self.stats is not None:
                self.stats.inc_value("cleancrawl/discovery/over-queue")
            return False
        stored: bool = super().enqueue_request(request)
        self.queued[token] += stored
        return stored

    def next_request(self) -> Request | None:
        request: Request | None = super().next_request()
        if request is not None:
            token = RequestData.of(request).lease
            self.queued[token] -= token in self.queued
        return request

    def forget(self, token: int, slot: str) -> None:
        """Forget a site of which nothing is to be fetched any more."""
        waiting = self.mqs.pqueues.pop(slot, None)  # type: ignore[attr-defined]
        if waiting is not None:
            waiting.close()
        for counter in (self.queued, self.left_out):
            counter.pop(token, None)
        if isinstance(self.df, SiteDupeFilter):
            self.df.forget(token)
