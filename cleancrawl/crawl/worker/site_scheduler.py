"""What waits to be fetched, site by site: counted, bounded in memory, and forgotten with the site.

The order is Scrapy's own: the site with the fewest downloads under way goes first, and sites that are equal in that
take turns; within a site the highest priority does.
"""

from __future__ import annotations

import pickle
from collections import Counter
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.utils.request import request_from_dict

from cleancrawl.crawl.request_data import RequestData

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

MOST_IN_MEMORY = 5_000
"""Requests of a site that wait in memory, two kilobytes each; what is found beyond it waits in a file for its turn."""


class SiteDupeFilter(RFPDupeFilter):
    """Which pages were asked for in this run of a site."""

    by_lease: dict[int | None, set[bytes]]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = super().from_crawler(crawler)
        made.by_lease = {}
        return made

    def request_seen(self, request: Request) -> bool:
        seen, fingerprint = self.by_lease.setdefault(RequestData.of(request).lease, set()), self._fingerprint(request)
        if fingerprint in seen:
            return True
        seen.add(fingerprint)
        return False

    def forget(self, token: int) -> None:
        self.by_lease.pop(token, None)


class Spool:
    """Requests of a site in a file of their own, in the order in which they were found."""

    def __init__(self, spider: Spider) -> None:
        self.spider = spider
        self.count = 0
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115
        self._next = 0

    def push(self, request: Request) -> None:
        """Raises ``ValueError`` where a callback is none of the spider's methods."""
        packed = pickle.dumps(request.to_dict(spider=self.spider))
        self._file.seek(0, 2)
        self._file.write(packed)
        self.count += 1

    def pop(self) -> Request:
        self._file.seek(self._next)
        found = request_from_dict(pickle.load(self._file), spider=self.spider)  # written by this process
        self._next = self._file.tell()
        self.count -= 1
        return found

    def close(self) -> None:
        self._file.close()


class SiteScheduler(Scheduler):
    def open(self, spider: Spider) -> Deferred[None] | None:
        self.in_memory: Counter[int | None] = Counter()
        self.spiders: dict[int, Spider] = {}
        """By lease: whose methods the callbacks of a site's requests are."""
        self.spools: dict[int | None, Spool] = {}
        opened: Deferred[None] | None = super().open(spider)
        return opened

    def waiting(self, token: int) -> int:
        """How many requests of a site wait."""
        spool = self.spools.get(token)
        return self.in_memory[token] + (spool.count if spool else 0)

    def _mqpush(self, request: Request) -> None:
        token = RequestData.of(request).lease
        if self.in_memory[token] < MOST_IN_MEMORY or not self._spooled(request, token):
            super()._mqpush(request)
            self.in_memory[token] += 1

    def _spooled(self, request: Request, token: int | None) -> bool:
        if token not in self.spools:
            if token not in self.spiders:
                return False
            self.spools[token] = Spool(self.spiders[token])
        try:
            self.spools[token].push(request)
        except ValueError:
            return False
        return True

    def next_request(self) -> Request | None:
        request: Request | None = super().next_request()
        token = RequestData.of(request).lease if request is not None else None
        if request is not None and token in self.in_memory:
            self.in_memory[token] -= 1
            spool = self.spools.get(token)
            if spool is not None and spool.count:
                super()._mqpush(spool.pop())
                self.in_memory[token] += 1
        return request

    def has_pending_requests(self) -> bool:
        return super().has_pending_requests() or any(spool.count for spool in self.spools.values())

    def forget(self, token: int, slot: str) -> None:
        """Forget a site of which nothing is to be fetched any more."""
        waiting = self.mqs.pqueues.pop(slot, None)  # type: ignore[attr-defined]
        if waiting is not None:
            waiting.close()
        self.in_memory.pop(token, None)
        self.spiders.pop(token, None)
        spool = self.spools.pop(token, None)
        if spool is not None:
            spool.close()
        if isinstance(self.df, SiteDupeFilter):
            self.df.forget(token)
