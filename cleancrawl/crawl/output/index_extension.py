"""Fills the index of ``CLEANCRAWL_INDEX`` while the crawl goes on, from the store's outbox."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import call_later, run_in_thread, sleep
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future

from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.crawl.config import refuse_start
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.session import Session
from cleancrawl.errors import CleanCrawlError, SinkError, SinkUnavailable, StoreError
from cleancrawl.sinks.filling import put_next
from cleancrawl.sinks.sink import Sink, prepare_sink
from cleancrawl.stores.protocol import Outbox

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)

INTERVAL = 2.0
BATCH = 100
"""Articles read from the store at once, which the crawl waits for if it needs the store just then: milliseconds."""
LONGEST_PAUSE = 60.0
CLOSE_PATIENCE = 15.0
"""Seconds that the end of a crawl waits for an index that is down; what it has not taken stays in the outbox."""


class IndexExtension:
    """The outbox is read and the index written in another thread: a slow index never holds up a page."""

    def __init__(self, store: Outbox, counts: Counts, url: str, open_sink: Callable[[], Sink]) -> None:
        self.store = store
        self.counts = counts
        self.url = without_password(url)
        self._open = open_sink
        self._sink: Sink | None = None
        self._pause = 0.0
        self._gave_up = False
        self._closing = False
        self._turn: Deferred[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session = Session.of(crawler)
        if not session.config.index:
            # Without a reason: Scrapy would warn of it in every crawl that wants no index.
            raise NotConfigured
        try:
            extension = cls(session.store, session.counts, session.config.index, prepare_sink(session.config.index))
        except CleanCrawlError as error:
            session.close()  # no crawl begins that would end it
            refuse_start(error)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        self.counts.stats.set_value("cleancrawl/index/url", self.url)
        self._next = call_later(INTERVAL, self._start_turn)

    async def spider_closed(self) -> None:
        """Catch up with all that the crawl recorded, then let go of the index."""
        self._closing = True
        self._next.cancel()
        if self._turn is not None:
            await maybe_deferred_to_future(self._turn)
        end = time.monotonic() + CLOSE_PATIENCE
        while not self._gave_up and not await self._catch_up() and time.monotonic() < end:
            await sleep(min(self._pause, CLOSE_PATIENCE))
        if self._sink is None or self.store.articles(self.store.cursor(self._sink.name), 1):
            logger.warning("articles wait for the index %s: cleancrawl sync STORE SINK brings them", self.url)
        if self._sink is not None:
            await run_in_thread(self._sink.close)

    def _start_turn(self) -> None:
        self._turn = deferred_from_coro(self._take_turn())

    async def _take_turn(self) -> None:
        """All that is new; then the next turn, after a longer pause for each failure in a row."""
        await self._catch_up()
        if not self._closing and not self._gave_up:
            self._next = call_later(self._pause or INTERVAL, self._start_turn)

    async def _catch_up(self) -> bool:
        """Whether the index has all there is; the crawl goes on either way."""
        try:
            if self._sink is None:
                self._sink = await run_in_thread(self._open)
            await self._drain(self._sink)
        except (SinkUnavailable, StoreError) as error:
            if not self._pause:
                logger.warning("the index %s is out of reach, articles wait: %s", self.url, error)
            self._pause = min(2 * self._pause or INTERVAL, LONGEST_PAUSE)
            self.counts.add("index/outages")
            return False
        except SinkError as error:
            logger.error("the index %s is given up for this crawl: %s", self.url, error)
            self._gave_up = True
            return False
        except Exception:
            logger.exception("the index %s is given up for this crawl", self.url)
            self._gave_up = True
            return False
        if self._pause:
            logger.info("the index %s is back", self.url)
        self._pause = 0.0
        return True

    async def _drain(self, sink: Sink) -> None:
        while entries := await run_in_thread(put_next, self.store, sink, BATCH):
            deleted = sum(entry.article is None for entry in entries)
            self.counts.add("index/articles", len(entries) - deleted)
            if deleted:
                self.counts.add("index/deleted", deleted)
