"""A news page must not steer the crawler into an intranet: private addresses are refused, by redirect and DNS too."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NoReturn

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHostResolution, IResolutionReceiver
from zope.interface import implementer

from cleancrawl.core.public_addresses import Place, is_private, literal_address, place_of
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.fetching.guarded_resolver import Guard
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

MOST_PLACES = 10_000


class PrivateAddress(IgnoreRequest):
    """A request to an address that is not on the public internet."""


@implementer(IResolutionReceiver)
class Addresses:
    """Collects what the reactor's resolver finds."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.complete: Deferred[list[str]] = Deferred()

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        pass

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.found.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        self.complete.callback(self.found)


async def resolve(host: str) -> list[str]:
    """All addresses of a host; none where it has none."""
    from twisted.internet import reactor

    if literal_address(host) is not None:
        return [host]
    receiver = Addresses()
    reactor.nameResolver.resolveHostName(receiver, host)
    return await maybe_deferred_to_future(receiver.complete)


class PrivateAddressMiddleware:
    """Downloader middleware behind the proxy settings: a proxy resolves names itself, so that only literal addresses
    can be judged. What the crawl was started with is allowed as ``GivenPlaces`` says.

    Here requests are refused before anything is sent, and those that the guard on the resolver refused are reported.
    Only that guard sees what is connected to; a download handler that resolves otherwise is held by the first look
    alone, and by the address that it says its response is from.
    """

    def __init__(self, counts: Counts, guard: Guard) -> None:
        self.counts = counts
        self.guard = guard
        self.judged: set[Place] = set()
        """Places that were found to be public: they are looked up once."""
        self.said: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PrivateAddressMiddleware:
        session = Session.of(crawler)
        if session.config.allow_private_hosts:
            raise NotConfigured
        return cls(session.counts, Guard.from_crawler(crawler, session.given_places))

    async def process_request(self, request: Request) -> None:
        place = place_of(request.url)
        if place is None or place in self.judged or not _is_web(request):
            return
        if request.meta.get("proxy"):
            if is_private(place[0]) and place not in self.guard.given:
                self._refuse(request)
            return
        if self.guard.given.refused(place, await resolve(place[0])) is not None:
            self._refuse(request)
        if len(self.judged) >= MOST_PLACES:
            self.judged.clear()
        self.judged.add(place)

    def process_response(self, request: Request, response: Response) -> Response:
        """The last look, for handlers that do not use the reactor's resolver."""
        place, address = place_of(request.url), response.ip_address
        if place is None or address is None or request.meta.get("proxy") or not _is_web(request):
            return response
        if self.guard.given.refused(place, [str(address)]) is not None:
            self._refuse(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if not isinstance(exception, IgnoreRequest) and place_of(request.url) in self.guard.refused:
            self._refuse(request)

    def _refuse(self, request: Request) -> NoReturn:
        host = urlparse_cached(request).netloc.rpartition("@")[2]
        self.counts.outcome("private-address", request.url)
        if host not in self.said and len(self.said) < MOST_PLACES:
            # Once per host: who crawls a site of their own must not wonder where its pages are.
            self.said.add(host)
            allows = "give it as a site, or set CLEANCRAWL_ALLOW_PRIVATE_HOSTS = True"
            logger.warning("cleancrawl: %s is a private address and not crawled; %s", host, allows)
        raise PrivateAddress(f"{host} is a private address (CLEANCRAWL_ALLOW_PRIVATE_HOSTS)")


def _is_web(request: Request) -> bool:
    return urlparse_cached(request).scheme in ("http", "https")
