"""``scrapy shell``, ``parse``, ``fetch`` and ``view``: somebody looks at single pages, and nothing is crawled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.commands.parse import Command as ParseCommand
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import SETTINGS_PRIORITIES

from cleancrawl.core.article import Article

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import Settings

COMMANDS = "scrapy.commands."

LOOKING: dict[str, Any] = {
    # What is looked at counts as never seen: the next harvest would leave it out otherwise.
    "CLEANCRAWL_STORE": "memory:",
    "CLEANCRAWL_ONLY_NEW": False,
    "CLEANCRAWL_WARMUP_PAGES": 0,
    "CLEANCRAWL_INDEX": None,
    "CLEANCRAWL_WARC": None,
    "CLEANCRAWL_SUMMARY": None,
    "CLEANCRAWL_PROGRESS": False,
    # Whoever types an address means it.
    "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
    "FEEDS": {},
}
"""What a project wants of its crawls and not of such a look; the command line still has the last word (``-s``)."""


def looks_at_single_pages(crawler: Crawler) -> bool:
    """Whether one of those commands runs: the shell brings a filter of its own, the others the spider's start."""
    shell = crawler.settings.getpriority("DUPEFILTER_CLASS") == SETTINGS_PRIORITIES["command"]
    return shell or _start_of(crawler).startswith(COMMANDS)


def leave_no_traces(settings: Settings) -> None:
    for name, value in LOOKING.items():
        if (settings.getpriority(name) or 0) < SETTINGS_PRIORITIES["cmdline"]:
            settings.set(name, value, "spider")


class ParseExtension:
    """``scrapy parse`` prints what callbacks give; the article is made after them, so it is added here."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ParseExtension:
        if _start_of(crawler) != ParseCommand.__module__:
            raise NotConfigured
        extension = cls()
        crawler.signals.connect(extension.item_scraped, signal=signals.item_scraped)
        return extension

    def item_scraped(self, item: Any, response: Response) -> None:
        if isinstance(item, Article):
            ParseCommand.items.setdefault(response.meta.get("_depth", 1), []).append(item)


def _start_of(crawler: Crawler) -> str:
    return str(getattr(crawler.spidercls.start, "__module__", ""))
