"""The summary of a crawl, once it has ended."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals

from cleancrawl.core.article import Article
from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.output.failure import failure_of
from cleancrawl.crawl.output.summary import summary
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.extensions.feedexport import FeedSlot

logger = logging.getLogger(__name__)


class SummaryExtension:
    """At the end, a summary in the log and where ``CLEANCRAWL_SUMMARY`` says: in a file, or (``-``) on the output."""

    def __init__(self, counts: Counts, target: str | None) -> None:
        self.counts = counts
        self.target = target
        self.places: list[str] = []
        self.first: tuple[str, str] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SummaryExtension:
        session = Session.of(crawler)
        extension = cls(session.counts, session.config.summary)
        crawler.signals.connect(extension.item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(extension.feed_closed, signal=signals.feed_slot_closed)
        crawler.signals.connect(extension.finish, signal=signals.engine_stopped)
        return extension

    def item_scraped(self, item: Any) -> None:
        if self.first is None and isinstance(item, Article):
            self.first = (item.title, item.text)

    def feed_closed(self, slot: FeedSlot) -> None:
        self.places.append(slot.uri)

    def finish(self) -> None:
        stats = self.counts.stats.get_stats()
        text = summary(stats, self.counts.examples, self.places, self.first, failure_of(stats))
        logger.info("Summary of the crawl:\n%s", text)
        if self.target == "-":
            print(text, file=sys.stdout, flush=True)
        elif self.target is not None:
            Path(self.target).parent.mkdir(parents=True, exist_ok=True)
            Path(self.target).write_text(text + "\n", encoding="utf-8")
