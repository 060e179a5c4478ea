"""What ends a site's crawl: its borders, also for redirects, and ``-a max_pages=``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from cleancrawl.core.metadata.dates import url_date
from cleancrawl.core.site import site_key

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

SITE = "cleancrawl_site"
"""Request meta: the site that a page was asked for."""
MAX_PAGES = "cleancrawl_max_pages"
"""Request meta: how many pages of that site are fetched; None where there is no limit."""
WINDOW = "cleancrawl_window"
"""Request meta: the days that are wanted."""
DATE = "cleancrawl_date"
"""Request meta: when the page changed, as a sitemap or feed says."""
AGAIN = "cleancrawl_again"
"""Request meta: asked for once more, since a newer date is known now; in vain unless the page was not due before."""
ROAMS = "cleancrawl_roams"
"""Request meta: a front page may lead to another site (``news.example`` to ``www.news.example.org``)."""


class SiteBordersMiddleware:
    """Downloader middleware. Only the queue knows what is newest, so the limit is applied behind it."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.spent: Counter[str] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SiteBordersMiddleware:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        meta = request.meta
        site, limit = meta.get(SITE), meta.get(MAX_PAGES)
        if site is None or meta.get("retry_times") or meta.get(AGAIN):
            return
        if meta.get("redirect_times"):
            if not meta.get(ROAMS):
                self._check_redirect(request, site)
        elif limit is not None and self.spent[site] >= limit:
            self._refuse("over-max-pages", f"{limit} pages of {site} were fetched")
        else:
            self.spent[site] += 1

    def _check_redirect(self, request: Request, site: str) -> None:
        if site_key(request.url) != site:
            self._refuse("off-site-redirect", f"redirected from {site} to {request.url}")
        window = request.meta.get(WINDOW)
        if window is not None and not window.admits(url_date(request.url)):
            self._refuse("outside-dates", f"redirected to {request.url}")

    def _refuse(self, reason: str, message: str) -> None:
        self.crawler.stats.inc_value(f"cleancrawl/discovery/{reason}")
        raise IgnoreRequest(message)
