"""One page from the web. Who types a private address means it; what a page or a name leads to is another matter."""

from __future__ import annotations

import socket
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)
from weakref import WeakKeyDictionary

from w3lib.url import safe_url_string

from cleancrawl.core.html.binary_bodies import looks_binary
from cleancrawl.core.html.decode import decode
from cleancrawl.core.public_addresses import GivenPlaces, canonical_host, is_private, place_of
from cleancrawl.errors import CleanCrawlError
from cleancrawl.version import __version__

TIMEOUT_SECONDS = 30
MAX_BYTES = 20_000_000
HTML_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")


def fetch(url: str) -> tuple[str, str]:
    """Download one page; raises ``CleanCrawlError`` with one line on whatever goes wrong."""
    try:
        # As a browser's address bar shows it, with letters of any script and blanks; a server takes neither.
        address = safe_url_string(url)
        request = Request(address, headers={"User-Agent": f"cleancrawl/{__version__}", "Accept": "text/html,*/*;q=0.5"})
        with _opener(address).open(request, timeout=TIMEOUT_SECONDS) as response:
            kind = response.headers.get_content_type()
            if kind not in HTML_TYPES:
                raise CleanCrawlError(f"{url}: {kind} is not a web page")
            body = response.read(MAX_BYTES + 1)
            content_type, final = response.headers.get("Content-Type"), response.url
    except HTTPError as error:
        error.close()
        raise CleanCrawlError(f"{url}: HTTP {error.code} {error.reason}") from None
    except URLError as error:
        raise CleanCrawlError(f"{url}: {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise CleanCrawlError(f"{url}: {error or type(error).__name__}") from None
    if len(body) > MAX_BYTES:
        raise CleanCrawlError(f"{url}: larger than {MAX_BYTES:,} bytes")
    if looks_binary(body):
        raise CleanCrawlError(f"{url}: binary data is not a web page")
    return decode(body, content_type)[0], final


def _opener(url: str) -> OpenerDirector:
    """What ``urlopen`` has, without files and FTP, and with our connections."""
    given = GivenPlaces()
    given.add(url)
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        UnknownHandler(),
        HTTPDefaultErrorHandler(),
        HTTPRedirectHandler(),
        HTTPErrorProcessor(),
        GuardedHandler(given),
    ):
        opener.add_handler(handler)
    return opener


class Refused(OSError):
    """A private place that nobody asked for."""

    def __init__(self, host: str, port: int | None) -> None:
        super().__init__(f"leads to {host}:{port}, a private address; give that address itself if it is meant")


class GuardedConnection(HTTPConnection):
    """Connects to addresses that were judged, so that a name cannot change between the look and the connection."""

    given: GivenPlaces | None = None
    """None where the connection is one to a proxy."""

    def connect(self) -> None:
        if self.given is None:
            super().connect()
            return
        name = self.host
        found = socket.getaddrinfo(name, self.port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
        if self.given.refused((canonical_host(name), self.port), addresses) is not None:
            raise Refused(name, self.port)
        failure = OSError("no address")
        for address in addresses:
            self.host = address  # TLS is begun afterwards, with the name
            try:
                super().connect()
                return
            except OSError as error:
                failure = error
            finally:
                self.host = name
        raise failure


class GuardedTlsConnection(HTTPSConnection, GuardedConnection):
    """The same below TLS: its ``connect`` begins with that of a plain connection."""


class GuardedHandler(HTTPHandler, HTTPSHandler):
    def __init__(self, given: GivenPlaces) -> None:
        super().__init__()
        self.given = given
        self.asked: WeakKeyDictionary[Request, str | None] = WeakKeyDictionary()
        """The hosts of requests before proxies take their places."""

    def note(self, request: Request) -> Request:
        self.asked.setdefault(request, request.host)
        return self.do_request_(request)

    http_request = https_request = note

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(self.connecting(GuardedConnection, req), req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(self.connecting(GuardedTlsConnection, req), req)

    def connecting(self, kind: type[GuardedConnection], request: Request) -> Callable[..., Any]:
        """Makes connections for a request. A proxy resolves names itself: there only literal addresses are judged."""
        place, proxied = place_of(request.full_url), self.asked.get(request) != request.host
        if proxied and place is not None and is_private(place[0]) and place not in self.given:
            raise URLError(Refused(*place))

        def connection(host: str, **options: Any) -> GuardedConnection:
            made = kind(host, **options)
            made.given = None if proxied else self.given
            return made

        return connection
