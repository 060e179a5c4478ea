"""What people see of a crawl."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals

from cleancrawl.core.article import Article
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.output.summary import summary

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.extensions.feedexport import FeedSlot

logger = logging.getLogger(__name__)


class SummaryExtension:
    """At the end, a summary in the log and where ``CLEANCRAWL_SUMMARY`` says: in a file, or (``-``) on the output."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.places: list[str] = []
        self.first: tuple[str, str] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SummaryExtension:
        extension = cls(Session.of(crawler))
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
        text = summary(self.session.stats.get_stats(), self.session.examples, self.places, self.first)
        logger.info("Summary of the crawl:\n%s", text)
        target = self.session.config.summary
        if target == "-":
            print(text, file=sys.stdout, flush=True)
        elif target is not None:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            Path(target).write_text(text + "\n", encoding="utf-8")
