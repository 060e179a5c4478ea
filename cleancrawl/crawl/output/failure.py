"""Whether a crawl failed, so that whoever started it sees it: cron, systemd, Scrapyd, a script."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import NotConfigured

from cleancrawl.crawl.counts import Counts
from cleancrawl.crawl.output.summary import counted
from cleancrawl.crawl.output.warc_extension import WARC_FAILED
from cleancrawl.crawl.session import STORE_FAILED, Session
from cleancrawl.crawl.single_pages import looks_at_single_pages

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

FAILURE = "cleancrawl/failure"
"""The statistic that says why a crawl failed."""
BAD_ENDS = {
    STORE_FAILED: "the store failed",
    WARC_FAILED: "raw pages could not be written",
    "cleancrawl_nothing_to_enrich": "the spider's items have none of the fields of an article",
    "closespider_errorcount": "too many errors (CLOSESPIDER_ERRORCOUNT)",
}


def failure_of(stats: Mapping[str, Any]) -> str | None:
    """Why a crawl counts as failed, in one line; None where it ended well, also with nothing new.

    >>> failure_of({"finish_reason": "finished", "cleancrawl/pages": 3, "cleancrawl/outcome/http-404": 2})
    >>> failure_of({"finish_reason": "finished", "cleancrawl/outcome/DNSLookupError": 1})
    'nothing could be read: DNSLookupError 1'
    >>> failure_of({"finish_reason": "store-failed", "cleancrawl/pages": 3})
    'the store failed'
    """
    bad_end = BAD_ENDS.get(stats.get("finish_reason", ""))
    if bad_end:
        return bad_end
    unread = counted(stats, "cleancrawl/archive/")
    if unread:
        return f"the archive could not be read whole: {_listed(unread)}"
    unstored = counted(stats, "feedexport/failed_count/")
    if unstored:
        return f"{sum(unstored.values()):,} feeds could not be stored"
    if stats.get("item_scraped_count"):
        return None
    pages, failed = stats.get("cleancrawl/pages", 0), counted(stats, "cleancrawl/failed/")
    if pages and sum(failed.values()) >= pages:
        return f"all pages failed: {_listed(failed)}"
    # A page that has not changed was read as well.
    if pages or counted(stats, "cleancrawl/revisit/"):
        return None
    lost = counted(stats, "cleancrawl/outcome/") or counted(stats, "cleancrawl/skipped/")
    return f"nothing could be read: {_listed(lost)}" if lost else None


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


class ExitCodeExtension:
    """A crawl that failed says so in the log's last error, and the ``scrapy`` command exits with 1."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ExitCodeExtension:
        if looks_at_single_pages(crawler):
            raise NotConfigured
        extension = cls(Session.of(crawler).counts)
        crawler.signals.connect(extension.finish, signal=signals.engine_stopped)
        return extension

    def finish(self) -> None:
        failure = failure_of(self.counts.stats.get_stats())
        if failure is None:
            return
        self.counts.stats.set_value(FAILURE, failure)
        logger.error("cleancrawl: the crawl failed: %s", failure)
        if "scrapy.cmdline" in sys.modules:
            # The command that runs is out of reach; all of them take their exit code from here unless they set one.
            ScrapyCommand.exitcode = 1
