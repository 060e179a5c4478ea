"""A crawl that is stopped stops: what still waits for its turn with a site is not asked for any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import ref

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.request_data import KEY, RequestData

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class NotAskedFor(IgnoreRequest):
    """The crawl is about to end, or needs no more of this kind."""


class Stop(OnePerCrawl):
    """Whether the crawl is about to end. Requests of our spiders alone are dropped: those of others know no budgets."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self.began = False
        self.satisfied: set[str] = set()
        """Registrable domains for which no more sitemaps and feeds are read."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Stop:
        return cls(crawler)

    def begin(self) -> None:
        self.began = True
        self.drop(lambda request: True)

    def enough(self, site: str) -> None:
        """No more pages of a site need to be found."""
        self.satisfied.add(site)
        self.drop(lambda request: RequestData.of(request).aside_of == site)

    def refuse(self, request: Request) -> None:
        """Raises ``NotAskedFor`` once the crawl is about to end, or where nothing needs to be found any more."""
        if _is_ours(request) and (self.began or RequestData.of(request).aside_of in self.satisfied):
            self._refused(request)
            raise NotAskedFor("not needed any more")

    def drop(self, is_needless: Callable[[Request], bool]) -> None:
        """Take requests out of the downloader's queues, where each waits for the delay of its site."""
        crawler = self._crawler()
        if crawler is None or crawler.engine is None:
            return
        for slot in crawler.engine.downloader.slots.values():
            waiting = list(slot.queue)
            slot.queue.clear()
            for request, answer in waiting:
                if _is_ours(request) and is_needless(request):
                    self._refused(request)
                    answer.errback(NotAskedFor("not needed any more"))
                else:
                    slot.queue.append((request, answer))

    def _refused(self, request: Request) -> None:
        crawler = self._crawler()
        if crawler is None or crawler.stats is None or crawler.engine is None:
            return
        crawler.stats.inc_value("cleancrawl/discovery/not-asked-for")
        scheduler = crawler.engine.scheduler
        if self.began and scheduler is not None and getattr(scheduler, "dqs", None) is not None:
            # With a JOBDIR the crawl goes on later: the queue on disk takes it back.
            scheduler.enqueue_request(request.replace(dont_filter=True))


def _is_ours(request: Request) -> bool:
    """Whether it was sent by a spider of ours; files of an item and robots.txt have no callback."""
    return isinstance(request.meta.get(KEY), dict) and request.callback is not NO_CALLBACK


class PromptStopExtension:
    """Tells all parts when the crawl is to end: by CLOSESPIDER settings, Ctrl-C, or a part that gives up."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.stop = Stop.of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PromptStopExtension:
        extension = cls(crawler)
        crawler.signals.connect(extension.begin, signal=signals.spider_opened)
        return extension

    def begin(self) -> None:
        # Scrapy has no signal before it waits for all that is under way.
        self._close = self.crawler.engine.close_spider_async
        self.crawler.engine.close_spider_async = self.close  # type: ignore[method-assign]

    async def close(self, *, reason: str = "cancelled") -> None:
        self.stop.begin()
        await self._close(reason=reason)
