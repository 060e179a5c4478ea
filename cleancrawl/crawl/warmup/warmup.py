"""Cold start: the first pages of a site wait until enough of it is known, and then pass as all others do.

A page that waits is recorded (its blocks count) and its item dropped; its response lies in the store. It is finished
when the site is known, when nothing else is left to crawl, when it has waited too long, or when the crawl is stopped.
After a crash it waits on in the next crawl on the same store: so it comes out as if nothing had happened.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, ClassVar
from uuid import uuid4

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.utils.defer import maybe_deferred_to_future

from cleancrawl.crawl.session import Job, Session
from cleancrawl.crawl.warmup.held_pages import HELD, Owner, pack, to_request, to_response, unpack
from cleancrawl.stores.protocol import HeldPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PART = 100
"""Held pages that are taken from the store at once."""
LOOK_AGAIN_SECONDS = 10.0
MANY = 20
"""A site of so many times the pages that are waited for is known, whatever they are: some have hardly any articles."""
ABANDONED_SECONDS = 3600.0
"""A crawl that has not finished a page so long after it should have is taken for dead, wherever it ran."""


class Warmup:
    """Which pages wait, and for how long. One per crawl, found at ``session.warmup``."""

    alive: ClassVar[set[str]] = set()

    def __init__(self, session: Session, crawler: Crawler) -> None:
        self.session = session
        self.crawler = crawler
        self.pages = session.config.warmup_pages if session.recipe.needs_site else 0
        self.owner = Owner.of_crawl(uuid4().hex)
        self.waiting: set[str] = set()
        """Sites of which pages are held by this crawl, or by one that is gone."""
        self.known: set[str] = set()
        self.tried: set[str] = set()
        self.closing = False
        self._started = self._looked = time.monotonic()

    def is_known(self, site: str, pages: int) -> bool:
        """Whether enough articles of a site are known; its listings say little about what recurs on them."""
        if site not in self.known and (
            pages >= MANY * self.pages or self.session.store.site_articles(site) >= self.pages
        ):
            self.known.add(site)
        return site in self.known

    def hold(self, job: Job) -> bytes | None:
        """The packed response of a page that has to wait; None where it has not."""
        known = job.page.known
        if not self.pages or self.closing or job.released or job.reason is not None or known is None:
            return None
        if not isinstance(job.response, HtmlResponse) or self.is_known(job.site, known.site_pages):
            return None
        callback = None
        if self.session.config.mode == "enrich":
            callback = _name_of_callback(job.response, self.crawler)
            if callback is None:
                return None
        return pack(job.response, callback, self.owner)

    def recorded(self, job: Job, *, held: bool) -> None:
        """After a page: perhaps its site is known now, or another one has waited too long."""
        if held:
            self.waiting.add(job.site)
        known = job.page.known
        if job.site in self.waiting and known and self.is_known(job.site, known.site_pages + 1):
            self.waiting.discard(job.site)
            self.schedule(self.session.store.held(job.site, limit=self.pages + PART))
        now, patience = time.monotonic(), self.session.config.hold_seconds
        # What a crash left over is older than this crawl, but has waited in vain only as long as this one runs.
        if self.waiting and now - self._looked > LOOK_AGAIN_SECONDS and now - self._started > patience:
            self._looked = now
            self.schedule(self.session.store.held(before=time.time() - patience))

    def gave_before(self, job: Job) -> bool:
        """Whether the page that was fetched has passed in this crawl already, as one that a crash had left over."""
        return not job.released and job.url in self.tried

    def adopt(self, pages: list[HeldPage]) -> int:
        """Take over what a crawl that is gone has left: finished at once where the site is known, else held on."""
        ours = [page for page in pages if self.is_ours(page, unpack(page).owner)]
        self.waiting.update(page.site for page in ours)
        self.schedule([page for page in ours if self.is_known(page.site, self.session.store.site_pages(page.site))])
        return len(ours)

    def schedule(self, pages: list[HeldPage]) -> int:
        """Let pages pass that this crawl held, or one that is gone; each once."""
        spider = self.crawler.spider
        assert spider is not None
        requests = [
            to_request(page, packed, spider)
            for page in pages
            for packed in [unpack(page)]
            if page.url not in self.tried and self.is_ours(page, packed.owner)
        ]
        for request in requests:
            self.tried.add(request.url)
            self.crawler.engine.crawl(request)
        return len(requests)

    def is_ours(self, page: HeldPage, owner: Owner) -> bool:
        """Whether this crawl held the page, or one that will not finish it any more."""
        age = time.time() - page.since
        old = age > self.session.config.hold_seconds + ABANDONED_SECONDS
        return owner == self.owner or old or owner.is_gone(self.alive)

    def all_held(self) -> Iterator[list[HeldPage]]:
        last = ""
        while part := self.session.store.held(after=last, limit=PART):
            last = part[-1].url
            yield part


class WarmupExtension:
    """Begins with what a crash left over, and ends when nothing waits any more."""

    def __init__(self, warmup: Warmup) -> None:
        self.warmup = warmup

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WarmupExtension:
        session = Session.of(crawler)
        if not session.config.warmup_pages:
            raise NotConfigured("CLEANCRAWL_WARMUP_PAGES is 0")
        session.warmup = Warmup(session, crawler)
        extension = cls(session.warmup)
        crawler.signals.connect(extension.begin, signal=signals.spider_opened)
        crawler.signals.connect(extension.idle, signal=signals.spider_idle)
        crawler.signals.connect(extension.end, signal=signals.engine_stopped)
        return extension

    def begin(self) -> None:
        Warmup.alive.add(self.warmup.owner.crawl)
        engine = self.warmup.crawler.engine
        # Scrapy has no signal before it closes the pipelines; afterwards no item can pass any more.
        self._close = engine.close_spider_async
        engine.close_spider_async = self.close  # type: ignore[method-assign]
        left = sum(map(self.warmup.adopt, self.warmup.all_held()))
        if left:
            logger.info("%d pages are held by a crawl that did not end; this one finishes them", left)

    def idle(self) -> None:
        if any(self.warmup.schedule(part) for part in self.warmup.all_held()):
            raise DontCloseSpider

    async def close(self, *, reason: str = "cancelled") -> None:
        """Finish what waits, then close: for CLOSESPIDER settings and the first Ctrl-C."""
        warmup = self.warmup
        if not warmup.closing:
            warmup.closing = True
            warmup.crawler.engine.pause()
            for part in warmup.all_held() if not warmup.session.broken else ():
                for page in part:
                    await self.finish(page)
        await self._close(reason=reason)

    async def finish(self, page: HeldPage) -> None:
        packed, crawler = unpack(page), self.warmup.crawler
        if self.warmup.is_ours(page, packed.owner) and crawler.spider is not None:
            request = to_request(page, packed, crawler.spider)
            response = to_response(packed, request)
            await maybe_deferred_to_future(crawler.engine.scraper.enqueue_scrape(response, request))

    def end(self) -> None:
        Warmup.alive.discard(self.warmup.owner.crawl)
        # The session outlives the crawl in a table that must not keep the crawler.
        self.warmup.session.warmup = None


class HeldPagesMiddleware:
    """Downloader middleware: answers from the store what was fetched before."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> HeldPagesMiddleware:
        return cls(Session.of(crawler))

    def process_request(self, request: Request) -> Response | None:
        if HELD not in request.meta:
            return None
        page = self.session.store.held_page(request.url)
        if page is None:
            raise IgnoreRequest(f"another crawl has finished {request.url}")
        return to_response(unpack(page), request)


def _name_of_callback(response: HtmlResponse, crawler: Crawler) -> str | None:
    """The spider's method that made the items, called again later; None where it is something else."""
    callback = response.request.callback if response.request else None
    name = "parse" if callback is None else getattr(callback, "__name__", "")
    method = getattr(crawler.spider, name, None)
    return name if callback is None or method == callback else None
