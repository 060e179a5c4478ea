"""A news page must not steer the crawler into an intranet: private addresses are refused, by redirect and DNS too."""

from __future__ import annotations

import logging
from collections.abc import Set
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHostResolution, IResolutionReceiver
from zope.interface import implementer

from cleancrawl.core.site import domain_of
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

MOST_HOSTS = 10_000


class PrivateAddress(IgnoreRequest):
    """A request to an address that is not on the public internet."""


def is_private(address: str) -> bool | None:
    """Whether a literal address is private, loopback, link-local or otherwise not public; None where it is a name.

    >>> is_private("10.0.0.1"), is_private("169.254.169.254"), is_private("::ffff:127.0.0.1"), is_private("[::1]")
    (True, True, True, True)
    >>> is_private("93.184.215.14"), is_private("news.example")
    (False, None)
    """
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return not parsed.is_global


@implementer(IResolutionReceiver)
class Addresses:
    """Collects what the reactor's resolver finds: the very answers that a connection would use."""

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
    """All addresses of a host name; none where it has none."""
    from twisted.internet import reactor

    receiver = Addresses()
    reactor.nameResolver.resolveHostName(receiver, host)
    return await maybe_deferred_to_future(receiver.complete)


class PrivateAddressMiddleware:
    """Downloader middleware behind the proxy settings: a proxy resolves names itself, so that only literal addresses
    can be judged. Domains that the crawl was started with are never refused."""

    def __init__(self, counts: Counts, given_domains: Set[str]) -> None:
        self.counts = counts
        self.given_domains = given_domains
        self.verdicts: dict[str, bool] = {}
        self.said: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PrivateAddressMiddleware:
        session = Session.of(crawler)
        if session.config.allow_private_hosts:
            raise NotConfigured
        return cls(session.counts, session.given_domains)

    async def process_request(self, request: Request) -> None:
        parts = urlparse_cached(request)
        if parts.scheme not in ("http", "https") or domain_of(request.url) in self.given_domains:
            return
        host = parts.hostname or ""
        private = is_private(host)
        if private is None and not request.meta.get("proxy"):
            private = await self.resolves_to_private(host)
        if private:
            self.counts.outcome("private-address", request.url)
            self._say_so(parts.netloc.rpartition("@")[2])
            raise PrivateAddress(f"{host} is a private address (CLEANCRAWL_ALLOW_PRIVATE_HOSTS)")

    def _say_so(self, host: str) -> None:
        """Once per host: who crawls a site of their own must not wonder where its pages are."""
        if host not in self.said and len(self.said) < MOST_HOSTS:
            self.said.add(host)
            allows = "CLEANCRAWL_ALLOW_PRIVATE_HOSTS = True allows it"
            logger.warning("cleancrawl: %s is a private address and not crawled; %s", host, allows)

    async def resolves_to_private(self, host: str) -> bool:
        if host not in self.verdicts:
            if len(self.verdicts) >= MOST_HOSTS:
                self.verdicts.clear()
            self.verdicts[host] = any(is_private(address) for address in await resolve(host))
        return self.verdicts[host]
