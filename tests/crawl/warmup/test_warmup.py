"""The first pages of a site come out as clean as the later ones."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import scrapy
from scrapy.http import HtmlResponse, Response

from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.warmup.held_pages import pack, to_request, to_response, unpack
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import HeldPage, Store
from tests.crawling import Crawl, LittleServer
from tests.stores.pages import record_of

BANNER = "We and our partners store and read cookies on your device to measure how our pages are used by you."
WORDS = "harbour council storm bridge museum orchestra election river festival".split()
SETTINGS = {"CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs_of_a_site", "CONCURRENT_REQUESTS": 1}


def page_of(number: int | str) -> str:
    """A banner that all pages have, and three paragraphs of words that no other page has."""
    name = str(number).replace(".", "x").replace(":", "x")
    sentences = "".join(
        f"<p>In {part} of {' '.join(f'{word}{name}' for word in WORDS)} at last.</p>"
        for part in ("one", "two", "three")
    )
    return f"<html><title>Story {number}</title><body><p>{BANNER}</p>{sentences}<p><a href='/more'>More</a></p></body>"


class PageSpider(scrapy.Spider):
    name = "page"
    urls: list[str]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.urls:
            yield scrapy.Request(url, cb_kwargs={"again": False}, meta={"object": object()})

    def parse(self, response: Response, again: bool) -> Iterator[Any]:
        yield {"name": "own", "page": response.url, "text": None}
        yield scrapy.Request(response.urljoin("/more"), callback=self.nothing)

    def nothing(self, response: Response) -> None:
        """Only counted by the server."""


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store.db'}"


def serve(server: LittleServer, count: int) -> list[str]:
    return [server.page(f"/{number}", page_of(number)) for number in range(count)]


def articles(items: list[Any]) -> dict[str, str]:
    return {item.url: item.text for item in items if not isinstance(item, dict)}


def held_by(store: Store, url: str, fetched: float | None = None, html: str = "") -> None:
    """As a crawl that ended at this moment leaves a page behind."""
    html = html or page_of(f"held{url[-1]}")
    response = HtmlResponse(url, body=html.encode(), headers={"Content-Type": "text/html"})
    lines, site = [BANNER, *re.findall("<p>(In .*?)</p>", html)], url.removeprefix("http://").partition("/")[0]
    held = pack(response, None)
    store.record(record_of(url, *lines, site=site, held=held, fetched=fetched or time.time()))


def test_all_pages_of_a_site_come_out_equally_clean(crawl: Crawl, server: LittleServer, database: str) -> None:
    urls = serve(server, 8)
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=urls)
    found = articles(crawled.items)
    assert sorted(found) == urls
    assert all(BANNER not in text and "In three of" in text for text in found.values())
    assert (crawled.stats["cleancrawl/held"], crawled.stats["cleancrawl/articles"]) == (5, 8)
    assert crawled.stats["cleancrawl/pages"] == 8
    assert crawled.stats["cleancrawl/removed/site-block"] == 8
    # Every page was fetched once and followed once; the spider's own items came once.
    assert [path for path, _ in server.requests].count("/more") == 1
    assert len(server.requests) == 9
    assert sum(isinstance(item, dict) for item in crawled.items) == 8
    store = open_store(database)
    assert store.holds() == {}
    assert sorted(entry.url for entry in store.articles()) == urls
    store.close()


def test_the_end_of_a_crawl_waits_for_nothing(crawl: Crawl, server: LittleServer, database: str) -> None:
    urls = serve(server, 1)
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=urls)
    assert list(articles(crawled.items)) == urls
    assert crawled.stats["cleancrawl/held"] == 1
    assert crawled.stats["finish_reason"] == "finished"


def test_without_warmup_nothing_waits(crawl: Crawl, server: LittleServer) -> None:
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_WARMUP_PAGES": 0}, urls=serve(server, 6))
    texts = articles(crawled.items)
    assert [BANNER in texts[url] for url in sorted(texts)] == [True, True, False, False, False, False]
    assert "cleancrawl/held" not in crawled.stats


def test_a_hold_that_grows_old_ends(crawl: Crawl, server: LittleServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cleancrawl.crawl.warmup.warmup.LOOK_AGAIN_SECONDS", -1.0)
    settings = {**SETTINGS, "CLEANCRAWL_HOLD_SECONDS": 0, "CLEANCRAWL_WARMUP_PAGES": 100}
    crawled = crawl(PageSpider, settings, urls=serve(server, 6))
    texts = articles(crawled.items)
    assert len(texts) == 6
    assert crawled.stats["cleancrawl/held"] == 6
    # The second was let go when the third came: too early to know the banner.
    assert sum(BANNER in text for text in texts.values()) >= 2


@pytest.mark.parametrize(
    "stop", [{"CLOSESPIDER_PAGECOUNT": 3}, {"CLOSESPIDER_ITEMCOUNT": 3, "CONCURRENT_REQUESTS": 3}], ids=str
)
def test_a_stopped_crawl_finishes_what_waits(
    stop: dict[str, int], crawl: Crawl, server: LittleServer, tmp_path: Path, database: str
) -> None:
    feed = tmp_path / "articles.jsonl"
    settings = {**SETTINGS, **stop, "CLEANCRAWL_STORE": database, "FEEDS": {str(feed): {"format": "jsonlines"}}}
    crawled = crawl(PageSpider, settings, urls=serve(server, 30))
    assert crawled.stats["finish_reason"].startswith("closespider")
    store = open_store(database)
    recorded = [entry.url for entry in store.articles()]
    assert store.holds() == {}
    assert 1 <= len(recorded) < 30
    assert sorted(articles(crawled.items)) == sorted(recorded)
    lines = [json.loads(line) for line in feed.read_text().splitlines()]
    assert sorted(line["url"] for line in lines if "url" in line) == sorted(recorded)
    store.close()


def test_what_a_crash_left_is_finished_first_where_the_site_is_known(
    crawl: Crawl, server: LittleServer, database: str
) -> None:
    store = open_store(database)
    for number in range(5):
        held_by(store, f"{server.url}/held/{number}")
    store.close()
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=serve(server, 1))
    assert len(articles(crawled.items)) == 6
    # They come from the store, not from the server.
    assert sorted(path for path, _ in server.requests) == ["/0", "/more"]
    assert list(articles(crawled.items))[-1] == f"{server.url}/0"


def test_what_a_crash_left_waits_on_where_the_site_is_not_known(
    crawl: Crawl, server: LittleServer, database: str
) -> None:
    store = open_store(database)
    for number in range(2):
        held_by(store, f"{server.url}/held/{number}", fetched=1e9)
    store.close()
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=serve(server, 5))
    texts = articles(crawled.items)
    assert len(texts) == 7
    assert not [url for url, text in texts.items() if BANNER in text]
    assert list(texts)[-1] == f"{server.url}/4"


def test_a_page_that_a_crash_left_comes_once(crawl: Crawl, server: LittleServer, database: str) -> None:
    urls = serve(server, 6)
    crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=urls)
    store = open_store(database)
    held_by(store, urls[0], html=page_of(0))
    store.close()
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=urls)
    found = [item.url for item in crawled.items if not isinstance(item, dict)]
    assert sorted(found) == urls
    assert crawled.counted("dropped/") == {"unchanged": 1}


def test_pages_that_wait_belong_to_their_site(crawl: Crawl, server: LittleServer, database: str) -> None:
    """A crawl of other sites leaves them alone, and the next one of their site finishes them at once."""
    store = open_store(database)
    other = f"http://127.0.0.2:{server.url.rpartition(':')[2]}"
    for number in range(5):
        held_by(store, f"{other}/held/{number}", fetched=1e9 if number else None)
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=serve(server, 1))
    assert len(articles(crawled.items)) == 1
    assert store.holds() == {other.removeprefix("http://"): 5}
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_STORE": database}, urls=[f"{other}/gone"])
    assert len(articles(crawled.items)) == 5
    assert store.holds() == {}
    store.close()


def test_what_is_packed_comes_out_again() -> None:
    data = RequestData(domain="a.example", max_pages=9, since="2026-01-01", until="2026-02-01", hops=2)
    meta = {"depth": 2, "object": object(), **data.to_meta()}
    request = scrapy.Request("https://a.example/", meta=meta, cb_kwargs={"x": 1})
    headers = {"Content-Type": "text/html; charset=shift_jis", "Set-Cookie": ["a=1", "b=2"]}
    response = HtmlResponse("https://a.example/x", 203, headers, "日本".encode("shift_jis"), request=request)
    packed = pack(response, "parse")
    assert packed is not None
    page = HeldPage("https://a.example/x", "a.example", 5.0, packed)
    again = to_request(page, unpack(page), PageSpider(), lease=7)
    assert (again.cb_kwargs, again.meta["depth"]) == ({"x": 1}, 2)
    assert RequestData.of(again) == replace(data, held_since=5.0, lease=7)
    copy = to_response(unpack(page), again)
    assert (copy.url, copy.status, copy.text, copy.headers) == (response.url, 203, "日本", response.headers)
    request.cb_kwargs["x"] = object()
    assert pack(response, "parse") is None


def test_enriched_items_wait_too(crawl: Crawl, server: LittleServer) -> None:
    crawled = crawl(PageSpider, {**SETTINGS, "CLEANCRAWL_MODE": "enrich"}, urls=(urls := serve(server, 7)))
    assert sorted(item["page"] for item in crawled.items) == urls
    assert all(BANNER not in item["text"] and item["name"] == "own" for item in crawled.items)
    assert crawled.stats["cleancrawl/held"] == 5
    assert [path for path, _ in server.requests].count("/more") == 1


class LambdaSpider(PageSpider):
    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.urls:
            yield scrapy.Request(url, callback=lambda response: [{"text": None}])


def test_items_of_a_callback_without_a_name_do_not_wait(crawl: Crawl, server: LittleServer) -> None:
    crawled = crawl(LambdaSpider, {**SETTINGS, "CLEANCRAWL_MODE": "enrich"}, urls=serve(server, 3))
    assert len(crawled.items) == 3
    assert "cleancrawl/held" not in crawled.stats


@pytest.fixture
def many_hosts() -> Iterator[int]:
    """One server that is reached under every address of the loopback network."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = page_of(self.headers["Host"]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("0.0.0.0", 0), Handler) as http:
        Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield http.server_port
        http.shutdown()


class OnePageSpider(PageSpider):
    def parse(self, response: Response, again: bool) -> Iterator[Any]:
        return iter(())


def test_many_sites_with_one_page_each(crawl: Crawl, many_hosts: int, database: str) -> None:
    urls = [f"http://127.0.{number // 250}.{number % 250 + 1}:{many_hosts}/story" for number in range(110)]
    settings = {**SETTINGS, "CLEANCRAWL_STORE": database, "CONCURRENT_REQUESTS": 16}
    crawled = crawl(OnePageSpider, settings, urls=urls)
    assert sorted(articles(crawled.items)) == sorted(urls)
    assert crawled.stats["cleancrawl/held"] == 110
    assert crawled.stats["finish_reason"] == "finished"
