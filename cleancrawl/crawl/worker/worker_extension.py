"""``-a sites=queue``: takes sites from the store's list, crawls them, and gives them back."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, cast

from scrapy import Request, Spider, signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred

from cleancrawl.core.article import Article
from cleancrawl.core.site import domain_of
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.fetching.leased_requests import NotOurs
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed, site_opened, site_quiet
from cleancrawl.crawl.worker.last_check import asked_under, check_last
from cleancrawl.crawl.worker.patient_slots import PatientSlot, open_slot, rest_of
from cleancrawl.crawl.worker.site_scheduler import SiteScheduler
from cleancrawl.errors import ConfigError
from cleancrawl.scale.leases import Held, Leases
from cleancrawl.stores.listed_sites import ListedSite, SiteRun

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

TICK = 0.25
POLL = 1.0
"""Seconds between two looks at the list."""


class SiteSpider(Protocol):
    """A spider for one site."""

    def start(self) -> AsyncIterator[Request]: ...

    def revisit(self, url: str) -> Request | None:
        """For a page of an earlier run; None where this one has met it."""
        ...


class TakesSites(Protocol):
    """A spider that a worker can run: it has ``takes_sites`` and ``once`` as well."""

    def for_site(self, site: ListedSite, config: Config) -> SiteSpider:
        """Raises ``ConfigError`` where the options of the site are wrong."""
        ...


@dataclass(slots=True, eq=False)
class SiteCrawl:
    """One run of a site by this worker."""

    held: Held
    spider: SiteSpider
    delay: float
    started: bool = False
    """Whether all requests that it begins with were made."""
    pages: int = 0
    articles: int = 0
    since: float = 0.0


class WorkerExtension:
    def __init__(self, crawler: Crawler, session: Session, leases: Leases) -> None:
        self.crawler = crawler
        self.session = session
        self.leases = leases
        self.once = leases.before is not None
        self.sites: dict[int, SiteCrawl] = {}
        self.looked = 0.0
        self.nothing_due = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WorkerExtension:
        session = Session.of(crawler)
        if session.leases is None:
            raise NotConfigured
        extension = cls(crawler, session, session.leases)
        session.leases.lost = extension.lose
        for signal, receiver in {
            signals.spider_opened: extension.begin,
            signals.spider_idle: extension.idle,
            signals.spider_closed: extension.end,
            signals.request_scheduled: extension.stamp,
            signals.response_received: extension.response_received,
            signals.item_scraped: extension.item_scraped,
        }.items():
            crawler.signals.connect(receiver, signal=signal)
        return extension

    def begin(self) -> None:
        handlers = self.crawler.engine.downloader.handlers
        # Scrapy has no hook between a slot's delay and the download: a process may stand still there for hours.
        self._download: Callable[[Request], Awaitable[Response]] = handlers.download_request_async
        handlers.download_request_async = self.download  # type: ignore[method-assign]
        check_last(handlers, self.may_ask)
        logger.info("cleancrawl: worker %s, room for %d sites", self.leases.owner, self.leases.room)
        self.task = create_looping_call(self.tick)
        self.task.start(TICK)

    def may_ask(self, token: int | None) -> bool:
        """Whether a request in the name of a lease may be sent now; one of none belongs to no site of the list."""
        holds: list[bool] = []
        with self.session.guarded_store():
            holds.append(token is None or self.leases.holds(token))
        return holds == [True]

    async def download(self, request: Request) -> Response:
        token = RequestData.of(request).lease
        if not self.may_ask(token):
            raise NotOurs(f"its site is another worker's: {request.url}")
        asked_under.set(token)
        try:
            return await self._download(request)
        finally:
            slot = self.crawler.engine.downloader.slots.get(request.meta.get("download_slot", ""))
            if isinstance(slot, PatientSlot):
                slot.answered()

    def tick(self) -> None:
        if self.session.broken:
            return
        with self.session.guarded_store():
            for site in self.sites.values():
                slot = self.crawler.engine.downloader.slots.get(site.held.name)
                if isinstance(slot, PatientSlot):
                    site.held.delay = slot.kept_delay
            self.leases.renew_in_time()
            if not self.is_closing() and monotonic() - self.looked >= POLL:
                self.take()
        if self.is_closing():
            return  # what waited was dropped: a site that is quiet now has not come to its end
        engine = self.crawler.engine._slot
        busy = {RequestData.of(request).lease for request in engine.inprogress} if engine is not None else set()
        for token, site in list(self.sites.items()):
            if site.started and token not in busy and self.is_quiet(token):
                self.quiet(site)

    def take(self) -> None:
        self.looked = monotonic()
        taken = self.leases.take()
        self.nothing_due = not taken
        if taken:
            self.looked = 0.0  # there may be more
        elif self.once and not self.sites:
            self.wake()
        for held in taken:
            self.start(held)

    def wake(self) -> None:
        """Let the engine see at once that nothing is left to do; it looks by itself every five seconds."""
        if self.crawler.engine._slot is not None:
            self.crawler.engine._slot.nextcall.schedule()

    @property
    def scheduler(self) -> SiteScheduler:
        scheduler = self.crawler.engine.scheduler
        assert isinstance(scheduler, SiteScheduler)
        return scheduler

    def is_closing(self) -> bool:
        slot = self.crawler.engine._slot
        return slot is None or slot.closing is not None or self.crawler.engine.paused

    def is_quiet(self, token: int) -> bool:
        return not self.scheduler.waiting(token)

    def start(self, held: Held) -> None:
        self.session.counts.add("sites/taken")
        if held.lease.taken_over:
            self.session.counts.add("sites/taken-over")
            logger.info("cleancrawl: %s is taken over from a worker that is gone", held.name)
        try:
            spider = cast(TakesSites, self.crawler.spider).for_site(held.lease.site, self.session.config)
            delay = max(0.0, float(held.lease.site.options.get("delay") or 0.0))
        except (ConfigError, ValueError) as error:
            logger.error("cleancrawl: %s cannot be crawled: %s", held.name, error)
            with self.session.guarded_store():
                self.leases.give_back(held, SiteRun(f"refused: {error}"))
            return
        site = self.sites[held.token] = SiteCrawl(held, spider, delay, since=monotonic())
        self.scheduler.spiders[held.token] = cast(Spider, spider)
        self.session.given_domains.add(held.name)
        for url in held.lease.site.urls:
            self.session.given_places.add(url)
        self.forget_robots([held.name])
        # Not that of an earlier lease: others may have asked since.
        self.crawler.engine.downloader.slots.pop(held.name, None)
        open_slot(self.crawler.engine.downloader, held, delay)
        self.crawler.signals.send_catch_log(site_opened, held=held)
        deferred_from_coro(self.ask(site))

    async def ask(self, site: SiteCrawl) -> None:
        async for request in site.spider.start():
            if site.held.token in self.sites:
                self.crawler.engine.crawl(_stamped(request, site.held))
        site.started = True

    def stamp(self, request: Request) -> None:
        """Every request is made in the name of a lease, and waits for its turn with its site."""
        data = RequestData.of(request)
        held = self.leases.held.get(data.lease or 0) or self.leases.of_site(domain_of(request.url))
        if held is None:
            return
        if data.lease is None:
            _stamped(request, held)
        if domain_of(request.url) in self.leases.domains_of(held):
            site = self.sites.get(held.token)
            open_slot(self.crawler.engine.downloader, held, site.delay if site else 0.0)
            request.meta["download_slot"] = held.name

    def response_received(self, response: Response, request: Request) -> None:
        data = RequestData.of(request)
        site = self.sites.get(data.lease or 0)
        if site is not None and data.domain is not None and data.held_since is None and response.status < 400:
            site.pages += 1

    def item_scraped(self, item: Any, response: Response | None) -> None:
        site = self.sites.get(RequestData.of(response).lease or 0) if response is not None else None
        if site is not None and isinstance(item, Article):
            site.articles += 1

    def quiet(self, site: SiteCrawl) -> None:
        self.crawler.signals.send_catch_log(site_quiet, held=site.held, revisit=site.spider.revisit)
        if self.is_quiet(site.held.token) and site.held.token in self.sites:
            outcome = "finished" if site.pages or not site.held.trouble else f"nothing read: {site.held.trouble}"
            self.give_back(site, outcome, whole=True)

    def give_back(self, site: SiteCrawl, outcome: str, *, whole: bool) -> None:
        run = SiteRun(
            outcome,
            whole=whole,
            pages=site.pages,
            articles=site.articles,
            seconds=monotonic() - site.since,
            delay=site.held.delay,
            rest=rest_of(self.crawler.engine.downloader, site.held),
        )
        with self.session.guarded_store():
            if whole:
                self.session.runs.finish(self.session.runs.sites_of(self.leases.domains_of(site.held)))
            if site.held.token in self.leases.held:
                domains = self.leases.give_back(site.held, run)
                self.session.counts.add("sites/finished" if whole else "sites/given-back")
                self.forget(site.held, domains)

    def lose(self, held: Held, domains: list[str]) -> None:
        logger.warning("cleancrawl: %s is another worker's now, this one drops it", held.name)
        self.session.counts.add("sites/lost")
        self.forget(held, domains)

    def forget(self, held: Held, domains: list[str]) -> None:
        self.sites.pop(held.token, None)
        self.looked = 0.0  # there is room
        self.scheduler.forget(held.token, held.name)
        self.session.runs.forget(self.session.runs.sites_of(domains))
        self.forget_robots(domains)
        self.crawler.signals.send_catch_log(site_closed, held=held, domains=frozenset(domains))

    def forget_robots(self, domains: list[str]) -> None:
        """Each run reads robots.txt anew; Scrapy would keep it as long as the process lives."""
        parsers = getattr(self.crawler.get_downloader_middleware(RobotsTxtMiddleware), "_parsers", {})
        for host in [host for host in parsers if domain_of(f"http://{host}") in domains]:
            if not isinstance(parsers[host], Deferred):  # it is still waited for
                del parsers[host]

    def idle(self) -> None:
        if not self.once or self.sites or not self.nothing_due:
            raise DontCloseSpider

    def end(self) -> None:
        self.task.stop()
        for site in list(self.sites.values()):
            self.give_back(site, "stopped", whole=False)


def _stamped(request: Request, held: Held) -> Request:
    request.meta.update(replace(RequestData.of(request), lease=held.token).to_meta())
    return request
