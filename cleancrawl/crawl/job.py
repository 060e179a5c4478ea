"""Pages on their way through the pipelines."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import signals
from scrapy.http import Response
from twisted.internet.defer import Deferred, DeferredLock

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.page import Page
from cleancrawl.crawl.date_window import Window
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.session import LEASE_LOST, STORE_FAILED, Session
from cleancrawl.errors import LeaseLost, StoreError
from cleancrawl.stores.protocol import Signature, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from cleancrawl.core.article import Article
    from cleancrawl.core.document import Document
    from cleancrawl.core.feed_text import FeedText
    from cleancrawl.core.fingerprints.simhash import WordDigests
    from cleancrawl.core.live.kept_posts import KeptPosts, PostRecord
    from cleancrawl.core.metadata.metadata import Metadata
    from cleancrawl.core.parts.joining import JoinedPages

logger = logging.getLogger(__name__)

MAX_DICT_JOBS = 1000


@dataclass(slots=True, eq=False)
class Job:
    """One page on its way through the pipelines."""

    page: Page
    url: str
    site: str
    """Domain or host, as ``CLEANCRAWL_SITE_KEY`` says."""
    fetched: float
    """When this crawl got it; an archive may have had it for long (``saved_at``)."""
    status: int = 200
    etag: str | None = None
    last_modified: str | None = None
    saved_at: float | None = None
    window: Window = field(default_factory=Window)
    """The days that are wanted."""
    prints: Prints | None = None
    article: Article | None = None
    metadata: Metadata | None = None
    signature: Signature | None = None
    text: str = ""
    """What the page itself keeps: its article may have a text from elsewhere."""
    digests: WordDigests | None = None
    """The words of that, where they are known already."""
    marks: dict[str, str | None] = field(default_factory=dict)
    """What stored articles turn out to be copies of, this one's included."""
    response: Response | None = None
    released: bool = False
    """Whether the page waited in the store for its site to be known."""
    rendered: bool = False
    """Whether a browser has made the page."""
    held: bytes | None = None
    """The packed response, where the page has to wait."""
    new: bool = False
    """Whether the store had no article of it before."""
    reason: str | None = None
    """Why the page gives no article; None as long as nothing speaks against it."""
    parts: dict[str, list[str]] | None = None
    """The other pages of an article in parts, packed, where it has some."""
    joined: JoinedPages | None = None
    """They and the first, cleaned."""
    whole: tuple[Page, Prints] | None = None
    """All of their blocks as those of one page."""
    feed: FeedText | None = None
    """What a feed of its site has as its text."""
    stand_in: Document | None = None
    """That text, cleaned, where it takes the place of the page's."""
    posts: KeptPosts | None = None
    """Those of a live report."""
    more_posts: list[PostRecord] = field(default_factory=list)
    """Of these the ones that the page has no more."""
    turn: DeferredLock = field(default_factory=DeferredLock)
    """Items of one response come at the same time: they wait for each other where a step takes time."""
    done: set[str] = field(default_factory=set)
    """Steps that ran already: the items of one response share one job."""
    left: Deferred[None] = field(default_factory=Deferred)
    """Fires when the first item of the page has left our pipelines, whatever became of it."""

    @property
    def visit(self) -> Visit:
        """The fetch as a store remembers it."""
        return Visit(self.site, self.url, self.fetched, self.status, self.etag, self.last_modified, self.reason)


class Jobs(OnePerCrawl):
    """Which jobs are under way, and which item each belongs to.

    Items of any class must work, so nothing is attached to them.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._jobs: dict[int, tuple[Any, Job]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Jobs:
        jobs = cls(Session.of(crawler))
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(jobs.forget, signal=signal)
        return jobs

    def add(self, item: Any, job: Job) -> None:
        key = id(item)
        try:
            self._jobs[key] = (ref(item, lambda _: self._drop(key)), job)
        except TypeError:  # a dict cannot be referred to weakly: it is held, and the oldest make room
            self._jobs[key] = (item, job)
            if len(self._jobs) > MAX_DICT_JOBS:
                self._drop(next(iter(self._jobs)))

    def find(self, item: Any) -> Job | None:
        entry = self._jobs.get(id(item))
        return entry and entry[1]

    def forget(self, item: Any) -> None:
        self._drop(id(item))

    def _drop(self, key: int) -> None:
        entry = self._jobs.pop(key, None)
        if entry is not None and not entry[1].left.called:
            entry[1].left.callback(None)

    def __len__(self) -> int:
        return len(self._jobs)

    def step(self, job: Job, name: str, work: Callable[[], None]) -> None:
        """Do one step of a job, once; none where the page was given up or the store has failed."""
        if name in job.done or job.reason is not None:
            return
        if self.session.broken:
            job.reason = STORE_FAILED
            return
        job.done.add(name)
        with self.guarded(job, name):
            work()

    @contextmanager
    def guarded(self, job: Job, name: str) -> Iterator[None]:
        """A page that fails is logged, counted and given up, and the crawl goes on."""
        try:
            yield
        except LeaseLost:
            job.reason = LEASE_LOST
            self.session.check_leases()
        except StoreError as error:
            job.reason = STORE_FAILED
            self.session.give_up(error)
        except Exception:
            logger.exception("cleancrawl: %s failed on %s", name, job.url)
            job.reason = f"failed-{name}"
            self.session.counts.add(f"failed/{name}")
