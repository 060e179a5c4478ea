"""Links of pages that are too large for a tree."""

from __future__ import annotations

import pytest
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from cleancrawl.core.html.thinning import MOST_BLOCKS
from cleancrawl.crawl.discovery import page_links as module
from cleancrawl.crawl.discovery.page_links import MOST_LINKS, page_links

LINKS = "<base href='/in/'><a href=b>b</a><area href='?c=d'><a href=b>again</a><a href='mailto:x'>m</a><a>n</a>"


def response(html: str) -> HtmlResponse:
    return HtmlResponse("https://a.example/x/y", body=html.encode(), encoding="utf-8")


def forbidden(*_: object) -> None:
    raise AssertionError("a tree was built")


def test_a_large_page_has_the_same_links_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    small = list(page_links(response(LINKS), LinkExtractor(unique=True)))
    monkeypatch.setattr(LinkExtractor, "extract_links", forbidden)
    monkeypatch.setattr(HtmlResponse, "selector", property(forbidden))
    large = response(LINKS + "<p>a" * 2 * MOST_BLOCKS)
    assert list(page_links(large, LinkExtractor(unique=True))) == small
    assert small == ["https://a.example/in/b", "https://a.example/in/?c=d"]


def test_no_page_has_more_links_than_a_reader_can_follow() -> None:
    many = response("".join(f"<a href=/{number}>b</a>" for number in range(2 * MOST_BLOCKS + MOST_LINKS)))
    assert len(list(page_links(many, LinkExtractor(unique=True)))) == module.MOST_LINKS
