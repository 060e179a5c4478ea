from __future__ import annotations

from typing import Any

import pytest
import scrapy

from cleancrawl.core.article import Article
from tests.crawling import Crawl, LittleServer

SENTENCES = [
    f"Sentence number {n} tells how the {n * 7} boats of harbour {n * 3} were sold in year {n}." for n in range(30)
]


class InOrderSpider(scrapy.Spider):
    """One page after the other: which of two copies came first is then certain."""

    name = "order"
    custom_settings = {"CONCURRENT_REQUESTS": 1}  # noqa: RUF012
    urls: list[str]
    own: bool = False

    async def start(self) -> Any:
        yield scrapy.Request(self.urls[0], cb_kwargs={"rest": self.urls[1:]}, dont_filter=True)

    def parse(self, response: Any, rest: list[str]) -> Any:
        if self.own:
            yield {"url": response.url, "duplicate_of": None}
        if rest:
            yield scrapy.Request(rest[0], cb_kwargs={"rest": rest[1:]}, dont_filter=True, priority=-1)


def page(title: str, sentences: list[str]) -> str:
    return f"<html lang=en><title>{title}</title>" + "".join(f"<p>{sentence}</p>" for sentence in sentences)


@pytest.fixture
def urls(server: LittleServer) -> list[str]:
    return [
        server.page("/first", page("Boats", SENTENCES)),
        server.page("/other", page("Weather", [f"Rain fell for {n} hours on hill {n * n}." for n in range(30)])),
        server.page("/copy", page("Boats sold", ["By our agency.", *SENTENCES[2:]])),
        server.page("/copy-of-copy", page("Boats", [*SENTENCES[3:], "Subscribe to our newsletter today."])),
    ]


def marked(items: list[Any], server: LittleServer) -> dict[str, str | None]:
    return {
        item.url.removeprefix(server.url): item.duplicate_of and item.duplicate_of.removeprefix(server.url)
        for item in items
        if isinstance(item, Article)
    }


def test_copies_are_marked_with_the_first_url(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    crawled = crawl(InOrderSpider, {"CLEANCRAWL_WARMUP_PAGES": 0}, urls=[*urls, urls[0]])
    assert marked(crawled.items, server) == {
        "/first": None,
        "/other": None,
        "/copy": "/first",
        "/copy-of-copy": "/first",
    }
    assert crawled.stats["cleancrawl/duplicates"] == 2


def test_copies_are_dropped(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    crawled = crawl(InOrderSpider, {"CLEANCRAWL_DUPLICATES": "drop", "CLEANCRAWL_WARMUP_PAGES": 0}, urls=urls)
    assert set(marked(crawled.items, server)) == {"/first", "/other"}
    assert crawled.stats["cleancrawl/dropped/duplicate"] == 2


def test_copies_are_kept_unasked(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    crawled = crawl(InOrderSpider, {"CLEANCRAWL_DUPLICATES": "keep", "CLEANCRAWL_WARMUP_PAGES": 0}, urls=urls)
    assert set(marked(crawled.items, server).values()) == {None}


def test_a_spiders_own_items_are_told(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    chosen = {"CLEANCRAWL_MODE": "enrich", "CLEANCRAWL_WARMUP_PAGES": 0}
    crawled = crawl(InOrderSpider, chosen, urls=urls, own=True)
    assert [item["duplicate_of"] for item in crawled.items] == [None, None, urls[0], urls[0]]
