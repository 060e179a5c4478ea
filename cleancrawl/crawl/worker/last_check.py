"""Whether a site is still ours, asked in the very moment in which a request is written to its connection.

Between the end of a site's delay and that moment lie a look-up, a handshake, and whatever else the process is busy
with; it may stand still there for longer than a lease.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from cleancrawl.crawl.fetching.leased_requests import NotOurs

if TYPE_CHECKING:
    from scrapy.core.downloader.handlers import DownloadHandlers
    from twisted.internet.defer import Deferred

Holds = Callable[[int | None], bool]

asked_under: ContextVar[int | None] = ContextVar("asked_under", default=None)
"""The token of the lease under which the download at hand was begun: Scrapy asks for its connection at once."""


def check_last(handlers: DownloadHandlers, holds: Holds) -> None:
    """Ask before each request that Scrapy's own handlers send. Others are asked only before they begin with one."""
    for scheme in ("http", "https"):
        pool = getattr(handlers._get_handler(scheme), "_pool", None)
        if pool is not None and hasattr(pool, "retryAutomatically"):
            # It would repeat a request by itself, past the check; Scrapy does so, too, and from the start.
            pool.retryAutomatically = False
            pool.getConnection = _checked(pool.getConnection, holds)


def _checked(connect: Callable[..., Deferred[Any]], holds: Holds) -> Callable[..., Deferred[Any]]:
    def get_connection(key: Any, endpoint: Any) -> Deferred[Any]:
        token = asked_under.get()

        def check(connection: Any) -> Any:
            if not holds(token):
                connection.abort()
                raise NotOurs("its site is another worker's")
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
