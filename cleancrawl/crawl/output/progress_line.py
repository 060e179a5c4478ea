"""One line on the terminal that tells how far a crawl is; it makes way for the log and is silent in pipes."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any, TextIO

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from cleancrawl.crawl.output.summary import counted
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

SECONDS = 0.5
ERASE = "\r\x1b[2K"
MOST_REASONS = 3


def progress_line(stats: Mapping[str, Any], sites: int, seconds: float, width: int = 200) -> str:
    """
    >>> stats = {"response_received_count": 120, "cleancrawl/articles": 40, "cleancrawl/dropped/listing": 7,
    ...     "scheduler/enqueued": 200, "scheduler/dequeued": 125}
    >>> progress_line(stats, sites=2, seconds=30)
    '2 sites · 120 pages · 40 articles · 7 dropped (listing 7) · 4.0 pages/s · 75 in the queue'
    >>> progress_line({}, sites=1, seconds=0, width=20)
    '1 site · 0 pages · 0'
    """
    pages = stats.get("response_received_count", 0)
    dropped = counted(stats, "cleancrawl/dropped/")
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in list(dropped.items())[:MOST_REASONS])
    queued = stats.get("scheduler/enqueued", 0) - stats.get("scheduler/dequeued", 0)
    parts = [
        f"{sites:,} site{'' if sites == 1 else 's'}",
        f"{pages:,} pages",
        f"{stats.get('cleancrawl/articles', 0):,} articles",
        f"{sum(dropped.values()):,} dropped" + (f" ({reasons})" if reasons else ""),
        f"{pages / seconds if seconds else 0:.1f} pages/s",
        f"{queued:,} in the queue",
    ]
    return " · ".join(parts)[:width]


class ProgressExtension:
    """Draws the line twice a second, where the standard error is a terminal."""

    def __init__(self, stats: StatsCollector, given_domains: Set[str], stream: TextIO) -> None:
        self.stats = stats
        self.given_domains = given_domains
        self.stream = stream
        self.started = time.monotonic()
        self.shown = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ProgressExtension:
        session = Session.of(crawler)
        if not session.config.progress or not sys.stderr.isatty():
            raise NotConfigured
        extension = cls(crawler.stats, session.given_domains, sys.stderr)
        crawler.signals.connect(extension.start, signal=signals.spider_opened)
        crawler.signals.connect(extension.stop, signal=signals.spider_closed)
        return extension

    def start(self) -> None:
        self.started = time.monotonic()
        self.handlers = [handler for handler in logging.root.handlers if self._writes_here(handler)]
        for handler in self.handlers:
            handler.addFilter(self.make_way)
        self.task = create_looping_call(self.draw)
        self.task.start(SECONDS)

    def stop(self) -> None:
        self.task.stop()
        self.erase()
        for handler in self.handlers:
            handler.removeFilter(self.make_way)

    def draw(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        seconds = time.monotonic() - self.started
        line = progress_line(self.stats.get_stats(), len(self.given_domains), seconds, width)
        self.stream.write(ERASE + line)
        self.stream.flush()
        self.shown = True

    def erase(self) -> None:
        if self.shown:
            self.stream.write(ERASE)
            self.stream.flush()
            self.shown = False

    def make_way(self, record: logging.LogRecord) -> bool:
        """As a log filter: nothing is filtered, but the line is gone before the message comes."""
        self.erase()
        return True

    def _writes_here(self, handler: logging.Handler) -> bool:
        return isinstance(handler, logging.StreamHandler) and handler.stream is self.stream
