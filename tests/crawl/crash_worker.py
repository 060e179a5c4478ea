"""A crawl of the sample site in a process of its own, for tests that kill it."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any

from tests.site.server import SampleSite

PRELOAD = [
    "scrapy.crawler",
    "scrapy.core.engine",
    "cleancrawl.crawl.addon",
    "spiders.news",
    "cleancrawl.stores.sqlite.sqlite_store",
]
SETTINGS = {
    "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500},
    # All pages wait for the whole site: then each is judged by all others, in whatever order they come, and two crawls
    # must agree to the letter.
    "CLEANCRAWL_WARMUP_PAGES": 1000,
    "CONCURRENT_REQUESTS": 4,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_ENABLED": False,
    "LOG_LEVEL": "INFO",
}
DEADLINE = 300.0


def context() -> ForkServerContext:
    """Processes that start at once: everything is imported in the server that they are forked from."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload([*PRELOAD, __name__])
    return made


def run(settings: dict[str, Any], sites: str, largest_file: int | None) -> None:
    from scrapy.crawler import AsyncCrawlerProcess

    from spiders.news import NewsSpider

    if largest_file is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    process = AsyncCrawlerProcess(settings)
    process.crawl(NewsSpider, sites=sites)
    process.start()


class CrawlProcess:
    """A running crawl; its log is written to a file beside the store."""

    def __init__(
        self, site: SampleSite, store: str, log: Path, largest_file: int | None = None, **settings: Any
    ) -> None:
        self.site, self.log = site, log
        self.before = len(site.log)
        every = {**SETTINGS, "CLEANCRAWL_STORE": store, "LOG_FILE": str(log), **settings}
        self.process: ForkServerProcess = context().Process(target=run, args=(every, site.a, largest_file))
        self.process.start()

    @property
    def requests(self) -> int:
        return len(self.site.log) - self.before

    def wait_for(self, happened: Callable[[], bool]) -> None:
        end = time.monotonic() + DEADLINE
        while self.process.is_alive() and not happened():
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.002)

    def kill_after(self, requests: int) -> None:
        self.wait_for(lambda: self.requests >= requests)
        self.process.kill()
        self.process.join()

    def interrupt_after(self, requests: int) -> None:
        """As Ctrl-C does, once."""
        self.wait_for(lambda: self.requests >= requests)
        assert self.process.pid is not None
        if self.process.is_alive():
            os.kill(self.process.pid, signal.SIGINT)
        self.finish()

    def finish(self) -> str:
        """Wait for the end and give the log."""
        self.process.join(DEADLINE)
        assert self.process.exitcode == 0, self.log.read_text()
        return self.log.read_text()
