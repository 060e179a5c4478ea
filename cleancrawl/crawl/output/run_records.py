"""What a run counts goes into the store while it runs, and at its end becomes a report (``CLEANCRAWL_REPORT``)."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call, run_in_thread

from cleancrawl.crawl.config import refuse_start
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.single_pages import looks_at_single_pages
from cleancrawl.errors import CleanCrawlError
from cleancrawl.report.harvest_report import write_report
from cleancrawl.report.templating import render

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

INTERVAL = 60.0
"""Seconds that a crawl which is killed loses the counts of, at most."""
LONGEST = 86_400.0
"""Seconds. A worker that never ends counts a day as a run, or there would be nothing to compare."""
GOES_ON = "goes on"
FACTS = {
    "requests": "downloader/request_count",
    "responses": "downloader/response_count",
    "bytes": "downloader/response_bytes",
    "pages": "cleancrawl/pages",
    "articles": "cleancrawl/articles",
    "withdrawn": "cleancrawl/withdrawn",
    "duplicates": "cleancrawl/duplicates",
}


class RunRecordsExtension:
    def __init__(self, session: Session, target: str | None) -> None:
        self.session = session
        self.target = target
        self.before: dict[str, int] = {}
        """Counted by earlier runs of this crawl."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RunRecordsExtension:
        if looks_at_single_pages(crawler):
            raise NotConfigured
        session = Session.of(crawler)
        if session.config.report:
            try:
                render("base.html")  # what is missing is told before the crawl, not after it
            except CleanCrawlError as error:
                session.close()
                refuse_start(error)
        extension = cls(session, session.config.report)
        crawler.signals.connect(extension.start, signal=signals.spider_opened)
        crawler.signals.connect(extension.finish, signal=signals.spider_closed)
        return extension

    def start(self) -> None:
        self.task = create_looping_call(self.write)
        self.task.start(INTERVAL, now=False)

    def write(self, reason: str | None = None) -> None:
        """``reason`` is why the crawl ended, if it did."""
        if self.session.broken:
            return
        ledger, now = self.session.ledger, time.time()
        over = reason is None and now - ledger.started >= LONGEST
        with self.session.guarded_store():
            ledger.write(self.facts(GOES_ON if over else reason, now))
            if over:
                self.before = self.counted()
                ledger.begin(now)

    def facts(self, reason: str | None, now: float) -> dict[str, Any]:
        new = {name: count - self.before.get(name, 0) for name, count in self.counted().items()}
        ended = {} if reason is None else {"ended": reason}
        return {**new, "seconds": round(now - self.session.ledger.started, 1), **ended}

    def counted(self) -> dict[str, int]:
        stats = self.session.counts.stats.get_stats()
        return {name: stats[key] for name, key in FACTS.items() if stats.get(key)}

    async def finish(self, reason: str) -> None:
        self.task.stop()
        self.write(reason)
        if self.target is None or self.session.broken:
            return
        try:
            await run_in_thread(write_report, self.session.store, Path(self.target), name=self.session.config.store)
        except (CleanCrawlError, OSError) as error:
            logger.error("cleancrawl: no report: %s", error)
        else:
            self.session.counts.stats.set_value("cleancrawl/report", self.target)
