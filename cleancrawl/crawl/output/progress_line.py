"""One line on the terminal that tells how far a crawl is; it makes way for the log and is silent in pipes."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from cleancrawl.core.text.control_characters import shown
from cleancrawl.crawl.output.summary import counted
from cleancrawl.crawl.output.time_left import Pace, in_words
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

SECONDS = 0.5
ERASE = "\r\x1b[2K"
MOST_REASONS = 3


def progress_line(
    stats: Mapping[str, Any], sites: int, seconds: float, waiting: int, left: float | None = None, width: int = 200
) -> str:
    """
    >>> stats = {"response_received_count": 120, "cleancrawl/articles": 40, "cleancrawl/dropped/listing": 7}
    >>> progress_line(stats, sites=2, seconds=30, waiting=75, left=19)
    '2 sites · 120 pages · 40 articles · 7 dropped (listing 7) · 4.0 pages/s · 75 in the queue · about 19 s left'
    >>> progress_line({}, sites=1, seconds=0, waiting=0, width=20)
    '1 site · 0 pages · 0'
    """
    pages = stats.get("response_received_count", 0)
    dropped = counted(stats, "cleancrawl/dropped/")
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in list(dropped.items())[:MOST_REASONS])
    parts = [
        f"{sites:,} site{'' if sites == 1 else 's'}",
        f"{pages:,} pages",
        f"{stats.get('cleancrawl/articles', 0):,} articles",
        f"{sum(dropped.values()):,} dropped" + (f" ({reasons})" if reasons else ""),
        f"{pages / seconds if seconds else 0:.1f} pages/s",
        f"{waiting:,} in the queue",
        *([f"about {in_words(left)} left"] if left is not None and waiting else []),
    ]
    return shown(" · ".join(parts)[:width])


class ProgressExtension:
    """Draws the line twice a second, where the standard error is a terminal."""

    def __init__(self, crawler: Crawler, session: Session, stream: TextIO) -> None:
        self.crawler = crawler
        self.session = session
        self.stream = stream
        self.pace = Pace()
        self.started = time.monotonic()
        self.shown = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ProgressExtension:
        session = Session.of(crawler)
        if not session.config.progress or not sys.stderr.isatty():
            raise NotConfigured
        extension = cls(crawler, session, sys.stderr)
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
        queued, under_way = self.waiting()
        stats = self.crawler.stats.get_stats()
        left = self.pace.seconds_left(seconds, stats.get("scheduler/dequeued", 0) - under_way, queued + under_way)
        sites = len(self.session.given_domains)
        line = progress_line(stats, sites, seconds, queued + under_way, left, width)
        self.stream.write(ERASE + line)
        self.stream.flush()
        self.shown = True

    def waiting(self) -> tuple[int, int]:
        """Requests that will still be asked for, and those that have left the queue: with a delay most wait there.

        The engine keeps both to itself; the statistics do not know what an earlier run left in a queue on disk.
        """
        slot = getattr(self.crawler.engine, "_slot", None)
        if slot is None:
            return 0, 0
        queued = len(slot.scheduler) if hasattr(slot.scheduler, "__len__") else 0
        budget = self.session.pages_left
        if budget and len(budget) >= len(self.session.given_domains):
            queued = min(queued, sum(budget.values()))
        return queued, len(slot.inprogress)

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
