"""A crawl in this process, without a Scrapy project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings
from scrapy.utils.log import get_scrapy_root_handler

from cleancrawl.crawl.output.failure import failure_of
from cleancrawl.crawl.output.summary import summary
from cleancrawl.crawl.output.summary_extension import SummaryExtension
from cleancrawl.crawl.output.terse_log import one_line
from cleancrawl.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.extensions.feedexport import FeedSlot

SETTINGS = "cleancrawl.crawl.polite_settings"
STOPPED = "shutdown"
"""Scrapy's word for Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a crawl ended."""

    stats: Mapping[str, Any]
    examples: Mapping[str, str]
    first: tuple[str, str] | None
    """Title and text of the first article."""
    places: Mapping[str, str | None]
    """Feeds that have articles; with a file's name where they did not take the place of an earlier one."""

    @property
    def stopped(self) -> bool:
        return self.stats.get("finish_reason") == STOPPED

    @property
    def failure(self) -> str | None:
        return failure_of(self.stats)

    def summary(self, places: list[str]) -> str:
        return summary(self.stats, self.examples, places, self.first, self.failure)


def run_crawl(spider: str, arguments: Mapping[str, str], settings: Mapping[str, Any], *, terse: bool = False) -> Ended:
    """Crawl with one of our spiders and wait for the end; ``terse``: what goes wrong is logged in one line.

    Raises what stops the start (``CleanCrawlError``), and ``KeyboardInterrupt`` where the crawl was cut off.
    """
    chosen = Settings()
    chosen.setmodule(SETTINGS, priority="project")
    chosen["FEED_STORAGES"]["stdout"] = "cleancrawl.crawl.output.stdout_feed.StdoutStorage"
    chosen.setdict(dict(settings), priority="cmdline")
    process = AsyncCrawlerProcess(chosen)
    crawler = process.create_crawler(spider)
    places: dict[str, str | None] = {}

    def note(slot: FeedSlot) -> None:
        if slot.itemcount:
            beside: Path | None = getattr(slot.storage, "beside", None)
            places[slot.uri_template] = str(beside) if beside is not None and beside.exists() else None

    crawler.signals.connect(note, signal=signals.feed_slot_closed)
    if terse:
        crawler.signals.connect(_shorten_log, signal=signals.spider_opened)
    task = process.crawl(crawler, **arguments)
    process.start()
    if not task.done():
        raise KeyboardInterrupt
    task.result()
    told = crawler.get_extension(SummaryExtension)
    if told is None:
        raise ConfigError("CLEANCRAWL_ENABLED is off: without the add-on there are no articles")
    return Ended(crawler.stats.get_stats(), told.counts.examples, told.first, places)


def _shorten_log() -> None:
    handler = get_scrapy_root_handler()
    if handler is not None:
        handler.addFilter(one_line)
