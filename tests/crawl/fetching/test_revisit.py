"""A page may be found by a link before a sitemap says that it has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.http import Response

from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.frontier import Frontier
from cleancrawl.crawl.discovery.spider_arguments import NewsArguments
from cleancrawl.crawl.request_data import RequestData
from tests.crawl.cleaning.test_cleaning import STORY
from tests.crawling import Crawl, LittleServer

LATER = (datetime.now(UTC) + timedelta(days=1)).isoformat()


AGAIN = RequestData(announced=LATER, again=True).to_meta()


class LinkFirstSpider(scrapy.Spider):
    """Asks for a page as a link would, and for what a sitemap says of it once that was refused."""

    name = "link-first"
    url: str
    first: dict[str, Any]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield scrapy.Request(self.url, self.parse, errback=self.then, meta=self.first)

    def then(self, failure: Any) -> Iterator[scrapy.Request]:
        yield scrapy.Request(self.url, self.parse, meta=AGAIN, dont_filter=True)

    def parse(self, response: Response) -> None:
        """Only counted by the server."""


class SitemapFirstSpider(LinkFirstSpider):
    """What the sitemap says is looked at while the link is still in the queue."""

    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield scrapy.Request(self.url, self.parse, meta=AGAIN, dont_filter=True)
        yield scrapy.Request(self.url, self.parse)


@pytest.mark.parametrize(
    ("spider", "first", "fetched", "not_due"),
    [
        # The link was not due; what the sitemap says makes it due.
        (LinkFirstSpider, {}, 1, 1),
        # The sitemap came before the link was looked at: it is due at once.
        (SitemapFirstSpider, {}, 1, None),
        # Asked again while the first one is still in the queue: that one will be asked for.
        (LinkFirstSpider, AGAIN, 0, None),
    ],
)
def test_what_is_announced_after_the_link(
    spider: type[LinkFirstSpider],
    first: dict[str, Any],
    fetched: int,
    not_due: int | None,
    crawl: Crawl,
    server: LittleServer,
    tmp_path: Path,
) -> None:
    settings = {"CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'store.db'}", "CLEANCRAWL_ONLY_NEW": True}
    url = server.page("/storm", STORY)
    crawl(LinkFirstSpider, settings, url=url, first={})
    server.requests.clear()
    crawled = crawl(spider, settings, url=url, first=first)
    assert len(server.requests) == fetched
    assert crawled.stats.get("cleancrawl/revisit/not-due") == not_due


@pytest.mark.parametrize("only_new", [True, False])
def test_a_newer_date_is_looked_at_once_more(only_new: bool) -> None:
    front = Frontier(NewsArguments.read(sites="https://a-site.com"), lambda what: None, keep_dates=only_new)
    dates = ["2026-01-01", "2026-01-01", "2026-01-02", "2026-01-01", None]
    found = [front.entry(Entry("https://a-site.com/story", date), "feed", print) for date in dates]
    asked = [(RequestData.of(request), request.dont_filter) for request in found if request is not None]
    assert [(data.announced, data.again, past_filter) for data, past_filter in asked] == [
        ("2026-01-01", False, False),
        ("2026-01-02", True, True),
    ][: 1 + only_new]
    assert front.announced == ({"https://a-site.com/story": "2026-01-02"} if only_new else {})
