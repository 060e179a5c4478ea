"""``scrapy crawl pages -a urls=…``: clean a list of pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response

from cleancrawl.crawl.config import refuse_start
from cleancrawl.crawl.discovery.options import read_urls
from cleancrawl.errors import ConfigError


class PagesSpider(Spider):
    """Fetches the given pages and nothing else. ``urls``: comma or blank between them, or ``@file``."""

    name = "pages"

    def __init__(self, urls: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls = read_urls("urls", urls)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        try:
            return super().from_crawler(crawler, *args, **kwargs)
        except ConfigError as error:
            refuse_start(error)

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls:
            yield Request(url)

    async def parse(self, response: Response, **kwargs: Any) -> None:
        """The add-on makes the article."""
