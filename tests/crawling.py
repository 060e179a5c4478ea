"""Real crawls in this process: one reactor for all tests, driven until the crawl at hand is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.utils.reactor import install_reactor

from tests.site.server import SampleSite

BASE = {
    "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500},
    "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs",
    "CLEANCRAWL_STORE": "memory:",
    "CLEANCRAWL_MIN_WORDS": 5,
    # Pages of three lines look like no article.
    "CLEANCRAWL_ONLY_ARTICLES": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_ENABLED": False,
}


@dataclass
class Crawled:
    items: list[Any] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)

    def counted(self, prefix: str) -> dict[str, int]:
        start = f"cleancrawl/{prefix}"
        return {key.removeprefix(start): value for key, value in self.stats.items() if key.startswith(start)}


Crawl = Callable[..., Crawled]


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor

    reactor.startRunning(installSignalHandlers=False)  # type: ignore[attr-defined]
    running: asyncio.AbstractEventLoop = reactor._asyncioEventloop  # type: ignore[attr-defined]
    yield running
    reactor.fireSystemEvent("shutdown")  # type: ignore[attr-defined]
    running.close()


@pytest.fixture
def crawl(loop: asyncio.AbstractEventLoop) -> Crawl:
    def run(spider: type[Spider], settings: dict[str, Any] | None = None, **arguments: Any) -> Crawled:
        crawled = Crawled()
        runner = AsyncCrawlerRunner({**BASE, **(settings or {})})
        crawler = runner.create_crawler(spider)
        crawler.signals.connect(collect := lambda item: crawled.items.append(item), signals.item_scraped)

        async def work() -> None:
            await runner.crawl(crawler, **arguments)

        loop.run_until_complete(work())
        crawled.stats = crawler.stats.get_stats()
        assert collect
        return crawled

    return run


@dataclass
class Answer:
    body: bytes = b""
    kind: str | None = "text/html"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class LittleServer:
    """Answers from a table, and remembers what it was asked."""

    url: str = ""
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def page(self, path: str, html: str | bytes, **more: Any) -> str:
        self.answers[path] = Answer(html.encode() if isinstance(html, str) else html, **more)
        return self.url + path


@contextmanager
def served() -> Iterator[LittleServer]:
    little = LittleServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            little.times.append(time.monotonic())
            little.requests.append((self.path, dict(self.headers.items())))
            answer = little.answers.get(self.path, Answer(b"nothing here", status=404))
            self.send_response(answer.status)
            if answer.kind:
                self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        little.url = f"http://127.0.0.1:{http.server_port}"
        yield little
        http.shutdown()
        thread.join()


@pytest.fixture
def server() -> Iterator[LittleServer]:
    with served() as little:
        yield little


@pytest.fixture
def other_server() -> Iterator[LittleServer]:
    with served() as little:
        yield little


@pytest.fixture
def site() -> Iterator[SampleSite]:
    with SampleSite(slow=0.05, crawl_delay=0) as sample:
        yield sample
