"""The right encoding for every page, before anything reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse, Response

from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.response_text import decoded

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class DecodingMiddleware:
    """Downloader middleware: tells a response its encoding where Scrapy would read it otherwise.

    Redirects, links and the spider's selectors then read the text that is cleaned. Some wrong charsets make Scrapy
    raise, and the page would be lost.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DecodingMiddleware:
        return cls()

    def process_response(self, request: Request, response: Response) -> Response:
        if not isinstance(response, HtmlResponse) or not RequestData.of(request).cleaned:
            return response
        return decoded(response).response
