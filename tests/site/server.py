"""The sample site's web server: one HTTP server per portal on loopback, with a log and switches for tests.

Alone: `python -m tests.site.server --port 0` prints one address per portal and serves until it is stopped.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType

from tests.site import discovery, portal_a, portal_b
from tests.site.portal import Answer, Behaviour, Logged, Portal, answer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet for head and body: two would wait for each other's acknowledgement
    server: _Server

    def do_GET(self) -> None:
        arrived = time.monotonic()
        self._send(answer(self.server.portal, self.path, self.headers), arrived)

    def do_HEAD(self) -> None:
        arrived = time.monotonic()
        self._send(answer(self.server.portal, self.path, self.headers), arrived)

    def do_POST(self) -> None:
        arrived = time.monotonic()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._send(Answer(405, {"Allow": "GET, HEAD"}), arrived)

    def _send(self, reply: Answer, arrived: float) -> None:
        body = b"" if self.command == "HEAD" else reply.body
        portal, headers = self.server.portal, {name.title(): value for name, value in self.headers.items()}
        # Logged before it is sent: a client that has the answer finds it in the log.
        portal.log.append(Logged(portal.name, self.command, self.path, headers, reply.status, len(body), arrived))
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status != 304:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The log is a list, not a stream of lines."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, port: int, portal: Portal) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.portal = portal

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no event; anything else is a bug of the sample site and must be seen."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class SampleSite:
    """Both portals while they are served: `with SampleSite() as site: site.a, site.b, site.log …`."""

    def __init__(self, port: int = 0, slow: float = 1.0, crawl_delay: float = 0.1, traps: bool = False) -> None:
        """Traps are links that lead a careless crawler round in circles: an endless calendar, session numbers, more."""
        self.log: list[Logged] = []
        portals = {
            "a": {**portal_a.resources(), **discovery.portal_a_files(crawl_delay)},
            "b": {**portal_b.resources(), **discovery.portal_b_files(crawl_delay)},
        }
        self.portals = {name: Portal(name, found, self.log, slow, traps) for name, found in portals.items()}
        self._servers = [
            _Server(port + number if port else 0, portal) for number, portal in enumerate(self.portals.values())
        ]
        for server in self._servers:
            server.portal.url = f"http://127.0.0.1:{server.server_address[1]}"

    @property
    def a(self) -> str:
        """Portal A's address, without a slash at its end."""
        return self.portals["a"].url

    @property
    def b(self) -> str:
        return self.portals["b"].url

    @property
    def urls(self) -> list[str]:
        return [portal.url for portal in self.portals.values()]

    def change(self, portal: str, path: str, paragraph: str) -> None:
        """Add a paragraph to an article: new text, new ETag, a Last-Modified one hour later."""
        self._behaviour(portal, path).additions += (paragraph,)

    def gone(self, portal: str, path: str) -> None:
        """From now on 410."""
        self.fail(portal, path, 410)

    def fail(
        self, portal: str, path: str, status: int, retry_after: str | None = None, times: int | None = None
    ) -> None:
        """Answer with an error, always or the next `times` times; Retry-After takes seconds or an HTTP date."""
        behaviour = self._behaviour(portal, path)
        behaviour.status, behaviour.retry_after, behaviour.times = status, retry_after, times

    def withhold(self, portal: str, path: str) -> None:
        """Not published yet: 404, and no sitemap, feed or listing knows it. Teasers stay: choose one without any,
        `lighthouse` on A or `rowing` on B, where other pages must not change with it."""
        self._behaviour(portal, path).withheld = True

    def publish(self, portal: str, path: str) -> None:
        self._behaviour(portal, path).withheld = False

    def delay(self, portal: str, path: str, seconds: float) -> None:
        self._behaviour(portal, path).delay = seconds

    def reset(self) -> None:
        """Every page as it was at the start, and an empty log."""
        for portal in self.portals.values():
            with portal.lock:
                portal.behaviours.clear()
                portal.hits.clear()
        self.log.clear()

    def requests(self, portal: str | None = None, path: str | None = None) -> list[Logged]:
        """The logged requests, of one portal or one request target where asked for."""
        return [
            entry
            for entry in list(self.log)
            if (portal is None or entry.portal == portal) and (path is None or entry.path == path)
        ]

    def _behaviour(self, portal: str, path: str) -> Behaviour:
        return self.portals[portal].behaviours.setdefault(path, Behaviour())

    def __enter__(self) -> SampleSite:
        for server in self._servers:
            Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Serve the sample news site on loopback, one port per portal.")
    parser.add_argument("--port", type=int, default=0, help="port of portal A, B has the next one; 0 takes free ones")
    parser.add_argument("--slow", type=float, default=1.0, help="seconds that the slow page takes (default 1)")
    parser.add_argument("--crawl-delay", type=float, default=0.1, help="seconds that robots.txt asks for (default 0.1)")
    parser.add_argument("--traps", action="store_true", help="link to an endless calendar and other traps")
    options = parser.parse_args(arguments)
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with SampleSite(options.port, options.slow, options.crawl_delay, options.traps) as site:
        print("\n".join(site.urls), flush=True)
        stopped.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
