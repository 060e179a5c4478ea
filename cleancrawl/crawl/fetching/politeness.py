"""Manners: robots.txt's Crawl-delay, Retry-After, waiting before a retry, and leaving a site that cannot cope."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Set
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils.asyncio import sleep
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object

from cleancrawl.core.site import domain_of
from cleancrawl.core.text.iso_dates import aware
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.fetching.prompt_stop import Stop
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

BUSY = frozenset({429, 503})
LONGEST_WAIT = 60.0
"""A site that wants to be left alone for longer is left for the next crawl."""
LONGEST_CRAWL_DELAY = 30.0
FIRST_WAIT = 0.5
SLICE = 0.25
"""Seconds after which a request that waits looks whether the crawl has been stopped."""
FAILURES = 6
"""So many answers in a row that say no, or no answers at all, and the site is left for the next crawl."""


class LeftForLater(IgnoreRequest):
    """The site cannot or does not want to answer now."""


class PolitenessMiddleware:
    """Downloader middleware behind the retries: it sees what they are about to repeat.

    ``slots`` gives the downloader's slots by name, ``asked_delay`` the Crawl-delay in a robots.txt.
    """

    def __init__(
        self,
        counts: Counts,
        slots: Callable[[], Mapping[str, Slot]],
        asked_delay: Callable[[bytes], float | None],
        stop: Stop,
    ) -> None:
        self.counts = counts
        self.slots = slots
        self.asked_delay = asked_delay
        self.stop = stop
        self.crawl_delays: dict[str, float] = {}
        self.until: dict[str, float] = {}
        self.failures: Counter[str] = Counter()
        self.left: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PolitenessMiddleware:
        settings = crawler.settings
        parser = load_object(settings["ROBOTSTXT_PARSER"])
        agent = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        obeys = settings.getbool("ROBOTSTXT_OBEY")

        def asked_delay(robots: bytes) -> float | None:
            return parser.from_crawler(crawler, robots).crawl_delay(agent) if obeys else None

        slots = lambda: crawler.engine.downloader.slots  # noqa: E731
        middleware = cls(Session.of(crawler).counts, slots, asked_delay, Stop.of(crawler))
        crawler.signals.connect(middleware.forget, signal=site_closed)
        return middleware

    def forget(self, domains: Set[str]) -> None:
        """A site that was left for later has its next chance."""
        for known in (self.crawl_delays, self.until, self.failures):
            for host in [host for host in known if domain_of(f"http://{host}") in domains]:
                del known[host]
        self.left = {host for host in self.left if domain_of(f"http://{host}") not in domains}

    async def process_request(self, request: Request) -> None:
        host = urlparse_cached(request).netloc
        if host in self.left:
            raise LeftForLater(f"{host} is left for later")
        wait = self.until.get(host, 0.0) - time.monotonic()
        retries = request.meta.get("retry_times", 0)
        if retries:
            wait = max(wait, FIRST_WAIT * 2 ** (retries - 1))
        end = time.monotonic() + min(wait, LONGEST_WAIT)
        while (left := end - time.monotonic()) > 0:
            self.stop.refuse(request)
            await sleep(min(left, SLICE))

    def process_response(self, request: Request, response: Response) -> Response:
        host = urlparse_cached(request).netloc
        if urlparse_cached(request).path == "/robots.txt" and response.status == 200:
            self._read_crawl_delay(host, response.body)
        self._keep_crawl_delay(host, request)
        if response.status in BUSY:
            self._failed(host, request, f"HTTP {response.status}", retry_after(response))
        else:
            self.failures.pop(host, None)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if not isinstance(exception, IgnoreRequest):
            self._failed(urlparse_cached(request).netloc, request, type(exception).__name__, None)

    def _failed(self, host: str, request: Request, what: str, wanted: float | None) -> None:
        self.failures[host] += 1
        wait = wanted if wanted is not None else FIRST_WAIT * 2 ** self.failures[host]
        if wait > LONGEST_WAIT or self.failures[host] >= FAILURES:
            if host not in self.left:
                self.left.add(host)
                self.counts.outcome("left-for-later", request.url)
                logger.warning("cleancrawl: %s is left for the next crawl (%s)", host, what)
        else:
            self.until[host] = max(self.until.get(host, 0.0), time.monotonic() + wait)

    def _read_crawl_delay(self, host: str, robots: bytes) -> None:
        delay = self.asked_delay(robots)
        if delay is not None and delay > 0:
            self.crawl_delays[host] = min(float(delay), LONGEST_CRAWL_DELAY)

    def _keep_crawl_delay(self, host: str, request: Request) -> None:
        # Set again with every response: AutoThrottle sets the slot's delay with every response, too.
        slot = self.slots().get(request.meta.get("download_slot", ""))
        if slot is not None and host in self.crawl_delays:
            slot.delay = max(slot.delay, self.crawl_delays[host])
            slot.jitter = 0.0  # not less than was asked for
            if hasattr(slot, "keep"):  # a worker's, which nothing shortens
                slot.keep(self.crawl_delays[host])


def retry_after(response: Response) -> float | None:
    """Seconds that a server asks for, by number or date; None where it does not.

    >>> retry_after(Response("https://a.example/", headers={"Retry-After": "120"}))
    120.0
    >>> retry_after(Response("https://a.example/", headers={"Retry-After": "soon"}))
    """
    value = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    if value.isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (aware(moment) - datetime.now(UTC)).total_seconds())
