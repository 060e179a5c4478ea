"""The resolver that downloads use, under guard: what it finds is judged when a connection is made, not before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from scrapy import Request, signals
from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from twisted.web.client import URI
from zope.interface import implementer

from cleancrawl.core.public_addresses import GivenPlaces, Place, canonical_host

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MOST_REFUSED = 10_000


class Guard:
    """One crawl's downloads under way, and where they may go. All that Scrapy's downloader is handed passes here."""

    def __init__(self, given: GivenPlaces) -> None:
        self.given = given
        self.under_way: Counter[Place] = Counter()
        self.refused: dict[Place, str] = {}
        """The address for which a connection was refused last."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, given: GivenPlaces) -> Guard:
        guard = cls(given)
        crawler.signals.connect(guard.begin, signal=signals.request_reached_downloader)
        crawler.signals.connect(guard.end, signal=signals.request_left_downloader)
        return guard

    def begin(self, request: Request) -> None:
        place = connects_to(request)
        if place is not None:
            self.under_way[place] += 1
            _guarded_resolver().guards.add(self)

    def end(self, request: Request) -> None:
        place = connects_to(request)
        if place is not None:
            self.under_way[place] -= 1
            if self.under_way[place] <= 0:
                del self.under_way[place]

    def admits(self, place: Place, addresses: Sequence[str]) -> bool:
        address = self.given.refused(place, addresses)
        if address is None:
            self.refused.pop(place, None)
            return True
        if len(self.refused) >= MOST_REFUSED:
            self.refused.clear()
        self.refused[place] = address
        return False


def connects_to(request: Request) -> Place | None:
    """Where a download connects to, read by the parser that it uses; None where that is a proxy, or no web server."""
    if request.meta.get("proxy") or not request.url.startswith(("http:", "https:")):
        return None
    uri = URI.fromBytes(request.url.encode("utf-8"))  # type: ignore[no-untyped-call]
    return canonical_host(uri.host.decode("utf-8", "replace")), uri.port


@implementer(IHostnameResolver)
class GuardedResolver:
    """Passes on all addresses of a host, or none where a crawl that downloads from there may not connect to one.

    Twisted connects to literal addresses through its resolver, too, and tells it the port. Everybody else who uses the
    reactor (proxies, databases, other crawls) is left alone. Where two crawls of a process ask for the same place at
    the same time, both must admit it.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.guards: WeakSet[Guard] = WeakSet()

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        place = (canonical_host(hostName), portNumber)
        guards = [guard for guard in self.guards if place in guard.under_way]
        receiver = JudgedAddresses(resolutionReceiver, place, guards) if guards else resolutionReceiver
        resolution: IHostResolution = self.inner.resolveHostName(
            receiver, hostName, portNumber, addressTypes, transportSemantics
        )
        return resolution


@implementer(IResolutionReceiver)
class JudgedAddresses:
    """Waits for all answers: the fastest of them would be connected to."""

    def __init__(self, receiver: Any, place: Place, guards: Sequence[Guard]) -> None:
        self.receiver = receiver
        self.place = place
        self.guards = guards
        self.found: list[Any] = []

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        self.receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.found.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        addresses = [address.host for address in self.found]
        verdicts = [guard.admits(self.place, addresses) for guard in self.guards]
        if all(verdicts):
            for address in self.found:
                self.receiver.addressResolved(address)
        self.receiver.resolutionComplete()


def _guarded_resolver() -> GuardedResolver:
    """That of the reactor. Scrapy installs its own when a process starts, so it is looked for at every download."""
    from twisted.internet import reactor

    resolver = reactor.nameResolver
    if not isinstance(resolver, GuardedResolver):
        resolver = GuardedResolver(resolver)
        reactor.installNameResolver(resolver)
    return resolver
