"""Cold start: the first pages of a site wait until enough of it is known, and then pass as all others do.

A page that waits is recorded (its blocks count) and its item dropped; its response lies in the store. It is finished
when the site is known, when nothing else is left to crawl, when it has waited too long, or when the crawl is stopped.
After a crash it waits on in the next crawl on the same store: so it comes out as if nothing had happened.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar
from uuid import uuid4

from scrapy.http import HtmlResponse

from cleancrawl.crawl.job import Job
from cleancrawl.crawl.warmup.held_pages import Owner, pack, to_request, unpack
from cleancrawl.crawl.warmup.kept_pages import KeptPages
from cleancrawl.stores.protocol import HeldPage, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

PART = 100
"""Held pages that are taken from the store at once."""
LOOK_AGAIN_SECONDS = 10.0
MANY = 20
"""A site of so many times the pages that are waited for is known, whatever they are: some have hardly any articles."""
ABANDONED_SECONDS = 3600.0
"""A crawl that has not finished a page so long after it should have is taken for dead, wherever it ran."""


class Warmup:
    """Which pages wait, and for how long. One per crawl; where ``pages`` is 0, none waits.

    A page waits until so many ``pages`` of its site are known, and ``patience`` seconds at most. With ``own_items``
    the spider's callback is called again when it is finished, to make them.
    """

    alive: ClassVar[set[str]] = set()

    def __init__(
        self, store: Store, crawler: Crawler, *, pages: int = 0, patience: float = 0.0, own_items: bool = False
    ) -> None:
        self.store = store
        self.crawler = crawler
        self.pages = pages
        self.patience = patience
        self.own_items = own_items
        self.owner = Owner.of_crawl(uuid4().hex)
        self.waiting: set[str] = set()
        """Sites of which pages are held by this crawl, or by one that is gone."""
        self.known: set[str] = set()
        self.tried: set[str] = set()
        self.kept = KeptPages()
        self.closing = False
        self._started = self._looked = time.monotonic()

    def is_known(self, site: str, pages: int) -> bool:
        """Whether enough articles of a site are known; its listings say little about what recurs on them."""
        if site not in self.known and (pages >= MANY * self.pages or self.store.site_articles(site) >= self.pages):
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
        if self.own_items:
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
            self.schedule(self.store.held(job.site, limit=self.pages + PART))
        now = time.monotonic()
        # What a crash left over is older than this crawl, but has waited in vain only as long as this one runs.
        if self.waiting and now - self._looked > LOOK_AGAIN_SECONDS and now - self._started > self.patience:
            self._looked = now
            self.schedule(self.store.held(before=time.time() - self.patience))

    def gave_before(self, job: Job) -> bool:
        """Whether the page that was fetched has passed in this crawl already, as one that a crash had left over."""
        return not job.released and job.url in self.tried

    def adopt(self, pages: list[HeldPage]) -> int:
        """Take over what a crawl that is gone has left: finished at once where the site is known, else held on."""
        ours = [page for page in pages if self.is_ours(page, unpack(page).owner)]
        self.waiting.update(page.site for page in ours)
        self.schedule([page for page in ours if self.is_known(page.site, self.store.site_pages(page.site))])
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
        old = age > self.patience + ABANDONED_SECONDS
        return owner == self.owner or old or owner.is_gone(self.alive)

    def all_held(self) -> Iterator[list[HeldPage]]:
        last = ""
        while part := self.store.held(after=last, limit=PART):
            last = part[-1].url
            yield part


def _name_of_callback(response: HtmlResponse, crawler: Crawler) -> str | None:
    """The spider's method that made the items, called again later; None where it is something else."""
    callback = response.request.callback if response.request else None
    name = "parse" if callback is None else getattr(callback, "__name__", "")
    method = getattr(crawler.spider, name, None)
    return name if callback is None or method == callback else None
