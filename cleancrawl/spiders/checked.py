"""What the spiders have in common."""

from __future__ import annotations

from typing import Any, Self

from scrapy import Spider
from scrapy.crawler import Crawler

from cleancrawl.crawl.config import Config, refuse_start
from cleancrawl.crawl.discovery.spider_arguments import arguments_of, refuse_unknown
from cleancrawl.crawl.single_pages import looks_at_single_pages
from cleancrawl.errors import ConfigError


class CheckedSpider(Spider):
    """Checks its arguments when it is made: a wrong or unknown one stops the start with one line.

    The parameters of ``__init__`` are the arguments; a spider that builds on one of ours declares its own there.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        try:
            refuse_unknown(cls.name, kwargs, arguments_of(cls, CheckedSpider))
            spider = super().from_crawler(crawler, *args, **kwargs)
            if not looks_at_single_pages(crawler):
                spider.check_complete()
            spider.prepare(Config.from_settings(crawler.settings))
        except ConfigError as error:
            refuse_start(error)
        return spider

    def check_complete(self) -> None:
        """Raises ``ConfigError`` where it was not said what to crawl."""

    def prepare(self, config: Config) -> None:
        """For what takes the settings as well as the arguments."""
