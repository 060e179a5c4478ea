"""Cold start: the first pages of a site wait until enough of it is known, and then pass as all others do.

A page that waits is recorded (its blocks count) and its item dropped; its response lies in the store. It is finished
when the site is known, when nothing else is left to crawl, when it has waited too long, or when the crawl is stopped.
Pages that wait belong to their site: after a crash they wait on in its next crawl on the same store, whoever's that is,
and so come out as if nothing had happened.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from cleancrawl.core.site import registrable_domain
from cleancrawl.crawl.job import Job
from cleancrawl.crawl.warmup.held_pages import pack, to_request, unpack
from cleancrawl.crawl.warmup.kept_pages import KeptPages
from cleancrawl.scale.leases import Leases
from cleancrawl.stores.protocol import HeldPage, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PART = 100
"""Held pages that are taken from the store at once."""
LOOK_AGAIN_SECONDS = 10.0
MANY = 20
"""A site of so many times the pages that are waited for is known, whatever they are: some have hardly any articles."""


class Warmup:
    """Which pages wait, and for how long. One per crawl; where ``pages`` is 0, none waits.

    A page waits until so many ``pages`` of its site are known, and ``patience`` seconds at most. With ``own_items``
    the spider's callback is called again when it is finished, to make them.
    """

    def __init__(
        self,
        store: Store,
        crawler: Crawler,
        *,
        pages: int = 0,
        patience: float = 0.0,
        own_items: bool = False,
        leases: Leases | None = None,
    ) -> None:
        self.store = store
        self.crawler = crawler
        self.pages = pages
        self.patience = patience
        self.own_items = own_items
        self.leases = leases
        self.met: set[str] = set()
        self.waiting: dict[str, float] = {}
        """Sites of which pages wait, and when that was first seen."""
        self.known: set[str] = set()
        self.tried: dict[str, set[str]] = {}
        self.kept = KeptPages()
        self.closing = False
        self._looked = time.monotonic()

    def meet(self, site: str) -> None:
        """Begin with a site: what its last crawl has left is finished at once where the site is known, else held on."""
        if site in self.met or not self.pages:
            return
        self.met.add(site)
        left = [page for part in self.all_held([site]) for page in part]
        if left:
            logger.info("%d pages of %s wait since a crawl that did not end; this one finishes them", len(left), site)
            self.waiting[site] = time.monotonic()
            if self.is_known(site, self.store.site_pages(site)):
                self.schedule(left)

    def forget(self, domains: Set[str]) -> None:
        """These sites are somebody else's now, or done."""
        for known in (self.met, self.known, self.waiting, self.tried):
            for site in [site for site in known if registrable_domain(site) in domains]:
                known.remove(site) if isinstance(known, set) else known.pop(site)

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
        self.meet(job.site)
        callback = None
        if self.own_items:
            callback = _name_of_callback(job.response, self.crawler)
            if callback is None:
                return None
        return pack(job.response, callback, job.parts, job.feed)

    def recorded(self, job: Job, *, held: bool) -> None:
        """After a page: perhaps its site is known now, or another one has waited too long."""
        now = time.monotonic()
        if held:
            self.waiting.setdefault(job.site, now)
        known = job.page.known
        if job.site in self.waiting and known and self.is_known(job.site, known.site_pages + 1):
            del self.waiting[job.site]
            self.schedule(self.store.held(job.site, limit=self.pages + PART))
        if self.waiting and now - self._looked > LOOK_AGAIN_SECONDS:
            self._looked = now
            # What a crash left over is older than this crawl, but has waited in vain only as long as this one runs.
            for site in [site for site, since in self.waiting.items() if now - since > self.patience]:
                self.schedule(self.store.held(site, before=time.time() - self.patience))

    def gave_before(self, job: Job) -> bool:
        """Whether the page that was fetched has passed in this crawl already, as one that a crash had left over."""
        return not job.released and job.url in self.tried.get(job.site, ())

    def schedule(self, pages: list[HeldPage]) -> int:
        """Let pages pass; each once."""
        spider = self.crawler.spider
        assert spider is not None
        count = 0
        for page in pages:
            tried = self.tried.setdefault(page.site, set())
            if page.url not in tried:
                tried.add(page.url)
                self.crawler.engine.crawl(to_request(page, unpack(page), spider, self.lease_of(page.site)))
                count += 1
        return count

    def finish_all(self, sites: Iterable[str]) -> int:
        """Let all pages of these sites pass that still wait."""
        return sum(self.schedule(part) for part in self.all_held(list(sites)))

    def lease_of(self, site: str) -> int | None:
        held = self.leases.of_site(site) if self.leases is not None else None
        return None if held is None else held.token

    def all_held(self, sites: Iterable[str]) -> Iterator[list[HeldPage]]:
        for site in sites:
            last = ""
            while part := self.store.held(site, after=last, limit=PART):
                last = part[-1].url
                yield part


def _name_of_callback(response: HtmlResponse, crawler: Crawler) -> str | None:
    """The spider's method that made the items, called again later; None where it is something else."""
    callback = response.request.callback if response.request else None
    name = "parse" if callback is None else getattr(callback, "__name__", "")
    method = getattr(crawler.spider, name, None)
    return name if callback is None or method == callback else None
