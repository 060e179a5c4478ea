"""What the spiders have in common."""

from __future__ import annotations

from typing import Any, Self

from scrapy import Spider
from scrapy.crawler import Crawler

from cleancrawl.crawl.config import Config, refuse_start
from cleancrawl.errors import ConfigError


class CheckedSpider(Spider):
    """Checks its arguments when it is made: a wrong one stops the start with one line."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        try:
            spider = super().from_crawler(crawler, *args, **kwargs)
            spider.prepare(Config.from_settings(crawler.settings))
        except ConfigError as error:
            refuse_start(error)
        return spider

    def prepare(self, config: Config) -> None:
        """For what takes the settings as well as the arguments."""
