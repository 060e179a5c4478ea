"""Many small news sites on one loopback server, told apart by their host names, with an access log."""

from __future__ import annotations

import random
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import NamedTuple, Self

WORDS = (
    "harbour council storm bridge museum orchestra election river festival railway market library school hospital"
    " stadium forest valley island theatre garden winter summer budget minister teacher farmer engineer doctor"
    " painter captain village station factory airport mountain lake castle church tower square street"
).split()
PARAGRAPHS, SENTENCES = 5, 3
LINKED = 10
NAVIGATION = "".join(f"<li><a href='/topic/{word}'>{word.title()}</a></li>" for word in WORDS[:8])


class Logged(NamedTuple):
    """One request, as the server saw it."""

    moment: float
    host: str
    path: str
    lease: int | None
    worker: str


class Farm:
    """``sizes`` is how many articles each site has. Sites are named ``site000.example`` and so on; where no resolver
    leads such names here, ``addresses`` takes loopback addresses as names."""

    def __init__(self, sizes: list[int], delays: list[float] | None = None, *, addresses: bool = False) -> None:
        names = [f"127.0.{n // 200}.{n % 200 + 2}" if addresses else f"site{n:03}.example" for n in range(len(sizes))]
        self.sizes = dict(zip(names, sizes, strict=True))
        self.delays = dict(zip(self.sizes, delays or [0.0] * len(sizes), strict=True))
        """What robots.txt asks for."""
        self.log: list[Logged] = []
        farm = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self) -> None:
                farm.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                """The log is a list."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 256

            def handle_error(self, request: object, client_address: object) -> None:
                """Clients are killed here: that is no event."""
                if not isinstance(sys.exception(), ConnectionError):
                    super().handle_error(request, client_address)  # type: ignore[arg-type]

        self.server = Server(("0.0.0.0" if addresses else "127.0.0.1", 0), Handler)
        self.port = self.server.server_port

    def url(self, host: str) -> str:
        return f"http://{host}:{self.port}/"

    def article_urls(self) -> set[str]:
        return {
            f"http://{host}:{self.port}{path_of(number)}" for host, size in self.sizes.items() for number in range(size)
        }

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        host = (handler.headers.get("Host") or "").partition(":")[0]
        lease, worker = handler.headers.get("X-Lease"), handler.headers.get("X-Worker")
        self.log.append(Logged(time.monotonic(), host, handler.path, int(lease) if lease else None, worker or ""))
        kind, body = self.page(host, handler.path)
        handler.send_response(200 if body else 404)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def page(self, host: str, path: str) -> tuple[str, bytes]:
        size = self.sizes.get(host, 0)
        if path == "/robots.txt":
            delay = self.delays.get(host, 0.0)
            return "text/plain", (f"User-agent: *\nCrawl-delay: {delay}\n" if delay else "User-agent: *\n").encode()
        if path == "/":
            links = "".join(f"<li><a href='{path_of(n)}'>Story {n} of {host}</a></li>" for n in newest(size))
            return "text/html", f"<html><title>{host}</title><ul>{NAVIGATION}</ul><ul>{links}</ul></html>".encode()
        for number in range(size):
            if path == path_of(number):
                return "text/html", story(host, number).encode()
        return "text/html", b""

    def __enter__(self) -> Self:
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()


def path_of(number: int) -> str:
    return f"/2026/11/{number % 28 + 1:02}/{WORDS[number % len(WORDS)]}-in-{WORDS[-number % len(WORDS)]}-{number}"


def newest(size: int) -> range:
    """What a page with so many articles before it links to."""
    return range(max(0, size - LINKED), size)


def story(host: str, number: int) -> str:
    """An article that no other is like, which links to those before it: whoever loses its links loses them."""
    chosen = random.Random(f"{host} {number}")
    title = f"{chosen.choice(WORDS).title()} and {chosen.choice(WORDS)} number {number} of {host}"
    paragraphs = "".join(
        "<p>" + " ".join(_sentence(chosen) for _ in range(SENTENCES)) + "</p>" for _ in range(PARAGRAPHS)
    )
    earlier = "".join(f"<li><a href='{path_of(n)}'>Earlier {n}</a></li>" for n in newest(number))
    return (
        f"<html lang='en'><head><title>{title}</title><meta property='og:type' content='article'></head>"
        f"<body><ul>{NAVIGATION}</ul><article><h1>{title}</h1>{paragraphs}</article><ul>{earlier}</ul></body></html>"
    )


def _sentence(chosen: random.Random) -> str:
    words = " ".join(chosen.choice(WORDS) for _ in range(12))
    return f"The {words}, said the {chosen.choice(WORDS)} on {chosen.randrange(1, 1000)} occasions."
