"""A page may be found by a link before a sitemap says that it has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import scrapy
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.frontier import Frontier
from cleancrawl.crawl.discovery.options import Options
from cleancrawl.crawl.fetching.site_limits import AGAIN, DATE
from tests.crawl.cleaning.test_cleaning import STORY
from tests.crawling import Crawl, LittleServer

LATER = (datetime.now(UTC) + timedelta(days=1)).isoformat()


class LinkFirstSpider(scrapy.Spider):
    """Asks for a page as a link would, and for what a sitemap says of it once that was refused."""

    name = "link-first"
    url: str
    first: dict[str, Any]
    frontier: Any = None

    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield scrapy.Request(self.url, self.parse, errback=self.then, meta=self.first)

    def then(self, failure: Any) -> Iterator[scrapy.Request]:
        yield scrapy.Request(self.url, self.parse, meta={DATE: LATER, AGAIN: True}, dont_filter=True)

    def parse(self, response: Response) -> None:
        """Only counted by the server."""


@pytest.mark.parametrize(
    ("first", "announced", "fetched"),
    [
        # The link was not due; what the sitemap says makes it due.
        ({}, {}, 1),
        # The sitemap came before the link was looked at: it is due at once.
        ({}, {"/storm": LATER}, 1),
        # Asked again while the first one is still in the queue: that one will be asked for.
        ({AGAIN: True}, {}, 0),
    ],
)
def test_what_is_announced_after_the_link(
    first: dict[str, Any],
    announced: dict[str, str],
    fetched: int,
    crawl: Crawl,
    server: LittleServer,
    tmp_path: Path,
) -> None:
    settings = {"CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'store.db'}", "CLEANCRAWL_ONLY_NEW": True}
    url = server.page("/storm", STORY)
    crawl(LinkFirstSpider, settings, url=url, first={})
    server.requests.clear()
    frontier = SimpleNamespace(announced={server.url + path: date for path, date in announced.items()})
    crawl(LinkFirstSpider, settings, url=url, first=first, frontier=frontier)
    assert len(server.requests) == fetched


@pytest.mark.parametrize("only_new", [True, False])
def test_a_newer_date_is_looked_at_once_more(only_new: bool) -> None:
    crawler = get_crawler(settings_dict={"CLEANCRAWL_ONLY_NEW": only_new})
    front = Frontier(Options.read(sites="https://a-site.com"), crawler)
    dates = ["2026-01-01", "2026-01-01", "2026-01-02", "2026-01-01", None]
    found = [front.entry(Entry("https://a-site.com/story", date), "feed", print) for date in dates]
    asked = [(request.meta[DATE], request.meta.get(AGAIN, False)) for request in found if request is not None]
    assert asked == [("2026-01-01", False), ("2026-01-02", True)][: 1 + only_new]
    assert front.announced == ({"https://a-site.com/story": "2026-01-02"} if only_new else {})
