"""Pages that are worth less by now than when they were found go back into the queue."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import NotConfigured

from cleancrawl.crawl.discovery.steering import Steering
from cleancrawl.crawl.fetching.prompt_stop import Stop
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

LESS = 4
"""By how much the rank must have fallen."""
MOST_OFTEN = 3
"""How often one page is put off: then it is asked for, whatever it is worth."""


class PutOffMiddleware:
    """Downloader middleware, before all that counts. A queue does not sort itself again when more is known."""

    def __init__(self, steering: Steering, stop: Stop) -> None:
        self.steering = steering
        self.stop = stop

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PutOffMiddleware:
        if not Session.of(crawler).config.steer:
            raise NotConfigured
        return cls(Steering.of(crawler), Stop.of(crawler))

    def process_request(self, request: Request) -> Request | None:
        data = RequestData.of(request)
        if data.expected is None or data.rank is None or self.stop.began:
            return None
        if request.meta.get("redirect_times") or request.meta.get("retry_times"):
            return None
        rank = self.steering.rank(request.url, data.expected)
        if rank > data.rank - LESS or data.put_off >= MOST_OFTEN:
            if data.put_off:
                request.dont_filter = False  # where it is redirected to may be known
            return None
        later = replace(data, rank=rank, put_off=data.put_off + 1)
        priority = request.priority + rank - data.rank
        return request.replace(priority=priority, dont_filter=True, meta={**request.meta, **later.to_meta()})
