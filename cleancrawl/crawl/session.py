"""What the parts of one crawl share: its config, recipe, store and statistics, and the pages under way."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary, ref

from scrapy import signals
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.page import Page
from cleancrawl.crawl.config import Config, refuse_start
from cleancrawl.crawl.discovery.entries import Window
from cleancrawl.crawl.recipe_choice import chosen_recipe, judge_of
from cleancrawl.crawl.run_mark import Run, run_name
from cleancrawl.errors import CleanCrawlError, StoreError
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Signature, Store, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from cleancrawl.core.article import Article
    from cleancrawl.crawl.warmup.warmup import Warmup

logger = logging.getLogger(__name__)

MAX_DICT_JOBS = 1000
STORE_FAILED = "store-failed"


@dataclass(slots=True, eq=False)
class Job:
    """One page on its way through the pipelines."""

    page: Page
    url: str
    site: str
    fetched: float
    status: int = 200
    etag: str | None = None
    last_modified: str | None = None
    window: Window | None = None
    """The days that are wanted, where the spider was asked for some."""
    prints: Prints | None = None
    article: Article | None = None
    signature: Signature | None = None
    response: Response | None = None
    released: bool = False
    """Whether the page waited in the store for its site to be known."""
    held: bytes | None = None
    """The packed response, where the page has to wait."""
    reason: str | None = None
    """Why the page gives no article; None as long as nothing speaks against it."""
    done: set[str] = field(default_factory=set)
    """Steps that ran already: the items of one response share one job."""

    @property
    def visit(self) -> Visit:
        """The fetch as a store remembers it."""
        return Visit(self.site, self.url, self.fetched, self.status, self.etag, self.last_modified, self.reason)


class Jobs:
    """Which job belongs to which item. Items of any class must work, so nothing is attached to them."""

    def __init__(self) -> None:
        self._jobs: dict[int, tuple[Any, Job]] = {}

    def add(self, item: Any, job: Job) -> None:
        key = id(item)
        try:
            self._jobs[key] = (ref(item, lambda _: self._jobs.pop(key, None)), job)
        except TypeError:  # a dict cannot be referred to weakly: it is held, and the oldest make room
            self._jobs[key] = (item, job)
            if len(self._jobs) > MAX_DICT_JOBS:
                self._jobs.pop(next(iter(self._jobs)))

    def of(self, item: Any) -> Job | None:
        entry = self._jobs.get(id(item))
        return entry and entry[1]

    def forget(self, item: Any) -> None:
        self._jobs.pop(id(item), None)

    def __len__(self) -> int:
        return len(self._jobs)


class Session:
    """One per crawler; the first part that asks for it opens it."""

    _sessions: ClassVar[WeakKeyDictionary[Crawler, Session]] = WeakKeyDictionary()

    def __init__(self, config: Config, stats: StatsCollector, name: str) -> None:
        self.config = config
        self.stats = stats
        self.recipe = chosen_recipe(config)
        self.judge = judge_of(config)
        self.store: Store = open_store(config.store)
        self.run = Run(self.store, name)
        self.jobs = Jobs()
        self.given_sites: set[str] = set()
        """Sites that the crawl was started with."""
        self.warmup: Warmup | None = None
        self.broken = False
        """Whether the store failed."""
        self._crawler: Callable[[], Crawler | None] = lambda: None
        self.examples: dict[str, str] = {}
        """One URL for every outcome and for every reason why a page gave no article."""

    @classmethod
    def of(cls, crawler: Crawler) -> Session:
        session = cls._sessions.get(crawler)
        if session is None:
            try:
                session = cls(Config.from_settings(crawler.settings), crawler.stats, run_name(crawler.spider))
            except CleanCrawlError as error:
                refuse_start(error)
            cls._sessions[crawler] = session
            session._crawler = ref(crawler)
            for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
                crawler.signals.connect(session.item_left, signal=signal)
            if session.config.only_new:
                crawler.signals.connect(session.run.start, signal=signals.spider_opened)
                crawler.signals.connect(session.run.finish, signal=signals.spider_closed)
            # The last signal of a crawl: whoever listens to ``spider_closed`` still finds the store open.
            crawler.signals.connect(session.close, signal=signals.engine_stopped)
        return session

    def close(self) -> None:
        self.store.close()
        # The statistics know the crawler: an entry that stayed would keep both for ever.
        crawler = self._crawler()
        if crawler is not None:
            self._sessions.pop(crawler, None)

    def give_up(self, error: StoreError) -> None:
        """Without its store a crawl would fetch pages for nothing: stop, and say why once."""
        crawler = self._crawler()
        if not self.broken and crawler is not None:
            logger.error("cleancrawl: %s; the crawl stops", error)
            deferred_from_coro(crawler.engine.close_spider_async(reason=STORE_FAILED))
        self.broken = True

    def item_left(self, item: Any) -> None:
        self.jobs.forget(item)

    def count(self, name: str, amount: int = 1) -> None:
        self.stats.inc_value(f"cleancrawl/{name}", amount)

    def outcome(self, reason: str, url: str, group: str = "outcome") -> None:
        self.examples.setdefault(reason, url)
        self.count(f"{group}/{reason}")

    def count_all(self, name: str, amounts: Counter[str]) -> None:
        for key, amount in amounts.items():
            self.count(f"{name}/{key}", amount)

    def step(self, job: Job, name: str, work: Callable[[], None]) -> None:
        """Do one step of a job, once; a page that fails is logged, counted and given up, and the crawl goes on."""
        if name in job.done or job.reason is not None:
            return
        if self.broken:
            job.reason = STORE_FAILED
            return
        job.done.add(name)
        with self.guarded(job, name):
            work()

    @contextmanager
    def guarded_store(self, url: str) -> Iterator[None]:
        """For store calls that belong to no job."""
        try:
            yield
        except StoreError as error:
            self.count("failed/store")
            self.give_up(error)

    @contextmanager
    def guarded(self, job: Job, name: str) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            job.reason = STORE_FAILED
            self.count("failed/store")
            self.give_up(error)
        except Exception:
            logger.exception("cleancrawl: %s failed on %s", name, job.url)
            job.reason = f"failed-{name}"
            self.count(f"failed/{name}")
