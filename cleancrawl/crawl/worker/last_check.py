"""Whether a site is still ours, asked in the very moment in which a request is written to its connection.

Between the end of a site's delay and that moment lie a look-up, a handshake, and whatever else the process is busy
with; it may stand still there for longer than a lease.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cleancrawl.crawl.fetching.leased_requests import NotOurs

if TYPE_CHECKING:
    from scrapy.core.downloader.handlers import DownloadHandlers
    from twisted.internet.defer import Deferred

Ours = Callable[[str], bool]


def check_last(handlers: DownloadHandlers, ours: Ours) -> None:
    """Ask before each request that Scrapy's own handlers send. Others are asked only before they begin with one."""
    for scheme in ("http", "https"):
        pool = getattr(handlers._get_handler(scheme), "_pool", None)
        if pool is not None and hasattr(pool, "retryAutomatically"):
            # It would repeat a request by itself, past the check; Scrapy does so, too, and from the start.
            pool.retryAutomatically = False
            pool.getConnection = _checked(pool.getConnection, ours)


def _checked(connect: Callable[..., Deferred[Any]], ours: Ours) -> Callable[..., Deferred[Any]]:
    def get_connection(key: tuple[Any, ...], endpoint: Any) -> Deferred[Any]:
        scheme, host, port = (part.decode("ascii", "replace") if isinstance(part, bytes) else part for part in key[-3:])

        def check(connection: Any) -> Any:
            if not ours(f"{scheme}://{host}:{port}"):
                connection.abort()
                raise NotOurs(f"{host} is another worker's")
            if not hasattr(connection, "sends_at_once"):
                connection.sends_at_once = True
                connection.request = _sent_at_once(connection, connection.request)
            return connection

        return connect(key, endpoint).addCallback(check)

    return get_connection


def _sent_at_once(connection: Any, request: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def send(what: Any) -> Any:
        answer = request(what)
        # Twisted would write it when it comes round to it.
        transport = connection.transport
        while hasattr(transport, "transport"):
            transport = transport.transport
        if hasattr(transport, "doWrite") and getattr(transport, "connected", False):
            transport.doWrite()
        return answer

    return send
