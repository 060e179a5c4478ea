"""When pages that wait are let go, and the store's answer to the requests that bring them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future

from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed, site_opened, site_quiet
from cleancrawl.crawl.warmup.held_pages import to_request, to_response, unpack
from cleancrawl.crawl.warmup.warmup import Warmup
from cleancrawl.scale.leases import Held
from cleancrawl.stores.protocol import HeldPage, Holds

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class WarmupExtension:
    """Ends when nothing waits any more. A worker that stops leaves what waits to the next owner of its site."""

    def __init__(self, warmup: Warmup, session: Session) -> None:
        self.warmup = warmup
        self.session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WarmupExtension:
        session = Session.of(crawler)
        if not session.config.warmup_pages:
            raise NotConfigured("CLEANCRAWL_WARMUP_PAGES is 0")
        config = session.config
        warmup = Warmup(
            session.store,
            crawler,
            pages=config.warmup_pages if session.recipe.needs_site else 0,
            patience=config.hold_seconds,
            own_items=config.mode == "enrich",
            leases=session.leases,
        )
        extension = cls(warmup, session)
        if session.leases is None:
            crawler.signals.connect(extension.begin, signal=signals.spider_opened)
            crawler.signals.connect(extension.idle, signal=signals.spider_idle)
        crawler.signals.connect(extension.site_opened, signal=site_opened)
        crawler.signals.connect(extension.site_quiet, signal=site_quiet)
        crawler.signals.connect(warmup.forget, signal=site_closed)
        return extension

    def begin(self) -> None:
        engine = self.warmup.crawler.engine
        # Scrapy has no signal before it closes the pipelines; afterwards no item can pass any more.
        self._close = engine.close_spider_async
        engine.close_spider_async = self.close  # type: ignore[method-assign]

    def idle(self) -> None:
        if self.warmup.finish_all(self.warmup.waiting):
            raise DontCloseSpider

    def site_opened(self, held: Held) -> None:
        with self.session.guarded_store():
            self.warmup.meet(held.name)

    def site_quiet(self, held: Held) -> None:
        sites = [site for site in self.warmup.waiting if self.warmup.lease_of(site) == held.token]
        with self.session.guarded_store():
            self.warmup.finish_all(sites)

    async def close(self, *, reason: str = "cancelled") -> None:
        """Finish what waits, then close: for CLOSESPIDER settings and the first Ctrl-C."""
        warmup = self.warmup
        if not warmup.closing:
            warmup.closing = True
            warmup.crawler.engine.pause()
            for part in warmup.all_held(list(warmup.waiting)) if not self.session.broken else ():
                for page in part:
                    await self.finish(page)
        await self._close(reason=reason)

    async def finish(self, page: HeldPage) -> None:
        packed, crawler = unpack(page), self.warmup.crawler
        if crawler.spider is not None:
            request = to_request(page, packed, crawler.spider)
            response = to_response(packed, request)
            await maybe_deferred_to_future(crawler.engine.scraper.enqueue_scrape(response, request))


class HeldPagesMiddleware:
    """Downloader middleware: answers from the store what was fetched before."""

    def __init__(self, store: Holds) -> None:
        self.store = store

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> HeldPagesMiddleware:
        return cls(Session.of(crawler).store)

    def process_request(self, request: Request) -> Response | None:
        if RequestData.of(request).held_since is None:
            return None
        page = self.store.held_page(request.url)
        if page is None:
            raise IgnoreRequest(f"another crawl has finished {request.url}")
        return to_response(unpack(page), request)


def warmup_of(crawler: Crawler) -> Warmup:
    """The crawl's warm-up; one that holds nothing where it is switched off, since nothing would let pages go."""
    extension = crawler.get_extension(WarmupExtension)
    return extension.warmup if extension is not None else Warmup(Session.of(crawler).store, crawler)
