"""The feed ``stdout:`` for pipes: each article at once, and no crawl for a reader who has left."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from scrapy.utils.defer import deferred_from_coro

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

READER_LEFT = "reader-left"
"""The reason with which such a crawl is closed."""


class Pipe:
    """The standard output as the exporter's file."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.open = True

    def write(self, data: bytes) -> int:
        try:
            if self.open:
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
        except BrokenPipeError:  # ``| head``
            self.open = False
            deferred_from_coro(self.crawler.engine.close_spider_async(reason=READER_LEFT))
        return len(data)


class StdoutStorage:
    """A feed storage (``FEED_STORAGES = {"stdout": …}``)."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler, uri: str, *, feed_options: dict[str, Any] | None = None) -> StdoutStorage:
        return cls(crawler)

    def open(self, spider: Spider) -> Pipe:
        return Pipe(self.crawler)

    def store(self, file: Pipe) -> None:
        """All is written."""
