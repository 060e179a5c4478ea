"""What became of every request, with one example per outcome: so that "0 articles" can say why."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class OutcomesMiddleware:
    """Downloader middleware next to the engine: it sees what retries and redirects have left over."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> OutcomesMiddleware:
        return cls(Session.of(crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        aside = request.meta.get("cleancrawl") is False or urlsplit(request.url).path == "/robots.txt"
        if response.status >= 400 and not aside:
            self.session.outcome(f"http-{response.status}", request.url)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, IgnoreRequest):
            reason = "robots.txt" if "robots.txt" in str(exception) else "left-out"
        else:
            reason = type(exception).__name__
        self.session.outcome(reason, request.url)
