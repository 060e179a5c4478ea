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
from cleancrawl.core.public_addresses import GivenPlaces
from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.crawl.config import Config, refuse_start
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.recipe_choice import chosen_recipe, judge_of
from cleancrawl.crawl.run_ledger import RunLedger
from cleancrawl.crawl.run_mark import RunMarks
from cleancrawl.errors import CleanCrawlError, ConfigError, LeaseLost, StoreError
from cleancrawl.scale.leases import Leases
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store
from cleancrawl.version import __version__

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

STORE_FAILED = "store-failed"
LEASE_LOST = "lease-lost"


class Session(OnePerCrawl):
    """What is configured, opened once. ``spider`` is a name, ``stop`` ends the crawl with a reason."""

    def __init__(self, config: Config, counts: Counts, spider: str, stop: Callable[[str], None]) -> None:
        self.config = config
        self.counts = counts
        self.recipe = chosen_recipe(config)
        self.judge = judge_of(config)
        self.store: Store = open_store(config.store)
        self.runs = RunMarks(self.store, spider)
        self.started = time.time()
        self.ledger = RunLedger(self.store, spider, self.started)
        counts.failed = lambda reason, url: self.ledger.failed(config.site_of(url), reason, url)
        self.given_domains: set[str] = set()
        """Registrable domains that the crawl was started with."""
        self.given_places = GivenPlaces()
        """Hosts and ports that it was started with."""
        self.pages_left: dict[str, int] = {}
        """How many pages of which domain may still be fetched, where there is a limit."""
        self.broken = False
        """Whether the store failed."""
        self.leases: Leases | None = None
        """The sites that this worker holds; None in a crawl of given sites."""
        self.stop = stop
        """Ends the crawl with a reason."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Session:
        def stop(reason: str) -> None:
            deferred_from_coro(crawler.engine.close_spider_async(reason=reason))

        spider: str = getattr(crawler.spider, "name", None) or ""
        try:
            session = cls(Config.from_settings(crawler.settings), Counts(crawler.stats), spider, stop)
            if getattr(crawler.spider, "takes_sites", False):
                session.become_worker(once=getattr(crawler.spider, "once", False))
        except CleanCrawlError as error:
            refuse_start(error)
        logger.info("cleancrawl %s (%s)", __version__, in_use())
        if session.config.only_new:
            crawler.signals.connect(session.end_runs, signal=signals.spider_closed)
        # The last signal of a crawl: whoever listens to ``spider_closed`` still finds the store open.
        crawler.signals.connect(session.close, signal=signals.engine_stopped)
        return session

    def become_worker(self, *, once: bool) -> None:
        """Take sites from the store's list, and write about no other; ``once``: only those that are due by now."""
        if not hasattr(self.store, "take_sites"):
            raise ConfigError(f"{without_password(self.config.store)} keeps no list of sites")
        before = self.store.store_time() if once else None
        self.leases = Leases(self.store, self.config.sites_at_once, self.config.lease_seconds, before=before)
        if not self.store.listed_sites():
            where = without_password(self.config.store)
            logger.warning("no site is on the list of %s: cleancrawl sites add STORE URL", where)

    def begun(self, site: str) -> float:
        """When this run of a site began."""
        held = self.leases.of_site(site) if self.leases is not None else None
        return held.begun if held is not None else self.started

    def close(self) -> None:
        self.store.close()
        self.forget_crawl()

    def end_runs(self, reason: str) -> None:
        if reason == "finished":
            with self.guarded_store():
                self.runs.finish()

    def give_up(self, error: StoreError) -> None:
        """Without its store a crawl would fetch pages for nothing: stop, and say why once."""
        self.counts.add("failed/store")
        if not self.broken:
            logger.error("cleancrawl: %s; the crawl stops", error)
            self.stop(STORE_FAILED)
        self.broken = True

    @contextmanager
    def guarded_store(self) -> Iterator[None]:
        """For store calls that belong to no job."""
        try:
            yield
        except LeaseLost:
            self.check_leases()
        except StoreError as error:
            self.give_up(error)

    def check_leases(self) -> None:
        """Something was refused: which sites are still ours?"""
        if self.leases is not None:
            try:
                self.leases.renew()
            except StoreError as error:
                self.give_up(error)
