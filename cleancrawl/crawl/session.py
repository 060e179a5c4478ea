"""What the parts of one crawl share: its config, recipe, store and statistics."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.utils.defer import deferred_from_coro

from cleancrawl.core.native import in_use
from cleancrawl.crawl.config import Config, refuse_start
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.recipe_choice import chosen_recipe, judge_of
from cleancrawl.crawl.run_ledger import RunLedger
from cleancrawl.crawl.run_mark import RunMark
from cleancrawl.errors import CleanCrawlError, StoreError
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store
from cleancrawl.version import __version__

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

STORE_FAILED = "store-failed"


class Session(OnePerCrawl):
    """What is configured, opened once. ``run`` names the crawl, ``stop`` ends it with a reason."""

    def __init__(self, config: Config, counts: Counts, run: str, stop: Callable[[str], None]) -> None:
        self.config = config
        self.counts = counts
        self.recipe = chosen_recipe(config)
        self.judge = judge_of(config)
        self.store: Store = open_store(config.store)
        self.run = RunMark(self.store, run)
        self.started = time.time()
        self.ledger = RunLedger(self.store, run, self.started)
        counts.failed = lambda reason, url: self.ledger.failed(config.site_of(url), reason, url)
        self.given_domains: set[str] = set()
        """Registrable domains that the crawl was started with."""
        self.pages_left: dict[str, int] = {}
        """How many pages of which domain may still be fetched, where there is a limit."""
        self.broken = False
        """Whether the store failed."""
        self._stop = stop

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Session:
        def stop(reason: str) -> None:
            deferred_from_coro(crawler.engine.close_spider_async(reason=reason))

        # A spider whose runs differ in more than its name says so.
        run: str = getattr(crawler.spider, "run_name", None) or getattr(crawler.spider, "name", None) or ""
        try:
            session = cls(Config.from_settings(crawler.settings), Counts(crawler.stats), run, stop)
        except CleanCrawlError as error:
            refuse_start(error)
        logger.info("cleancrawl %s (%s)", __version__, in_use())
        if session.config.only_new:
            crawler.signals.connect(session.run.start, signal=signals.spider_opened)
            crawler.signals.connect(session.run.finish, signal=signals.spider_closed)
        # The last signal of a crawl: whoever listens to ``spider_closed`` still finds the store open.
        crawler.signals.connect(session.close, signal=signals.engine_stopped)
        return session

    def close(self) -> None:
        self.store.close()
        self.forget_crawl()

    def give_up(self, error: StoreError) -> None:
        """Without its store a crawl would fetch pages for nothing: stop, and say why once."""
        self.counts.add("failed/store")
        if not self.broken:
            logger.error("cleancrawl: %s; the crawl stops", error)
            self._stop(STORE_FAILED)
        self.broken = True

    @contextmanager
    def guarded_store(self) -> Iterator[None]:
        """For store calls that belong to no job."""
        try:
            yield
        except StoreError as error:
            self.give_up(error)
