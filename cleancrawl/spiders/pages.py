"""``scrapy crawl pages -a urls=…``: clean a list of pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.http import Response

from cleancrawl.crawl.discovery.spider_arguments import read_urls
from cleancrawl.errors import ConfigError
from cleancrawl.spiders.checked import CheckedSpider


class PagesSpider(CheckedSpider):
    """Fetches the given pages and nothing else. ``urls``: comma or blank between them, or ``@file``."""

    name = "pages"

    def __init__(self, urls: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls = read_urls("urls", urls)

    def check_complete(self) -> None:
        if not self.urls:
            raise ConfigError("-a urls= needs one or more URLs (comma or blank between them) or @file")

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls:
            yield Request(url)

    async def parse(self, response: Response, **kwargs: Any) -> None:
        """The add-on makes the article."""
