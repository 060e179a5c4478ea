"""What travels on a request arrives, whatever it passes through."""

from __future__ import annotations

import json
import marshal
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import date
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.request import request_from_dict

from cleancrawl.crawl.date_window import Window
from cleancrawl.crawl.fetching.saved_pages import SavedPage, SavedPageRequest
from cleancrawl.crawl.request_data import KEY, RequestData
from cleancrawl.spiders.news import NewsSpider
from tests.crawl.warmup.test_warmup import page_of
from tests.crawling import Crawl, LittleServer

URL = "https://a.example/"
FULL = RequestData(
    cleaned=False,
    domain="a.example",
    max_pages=7,
    since="2026-11-01",
    until="2026-11-16",
    roams=True,
    announced="2026-11-02T10:00:00Z",
    again=True,
    hops=2,
    found_as="https://a.example/x",
    expected=0.25,
    rank=3,
    put_off=1,
    aside_of="a.example",
    max_documents=9,
    sitemap_level=1,
    lease=7,
    saved_at=4.5,
    mining_reserved=True,
    mining_policy="https://a.example/policy.json",
    rendered=True,
    held_since=5.5,
    fresh=True,
    part_of="https://a.example/story",
    alone=True,
)


def test_the_full_record_says_something_in_every_field() -> None:
    assert set(FULL.to_meta()[KEY]) == {known.name for known in fields(RequestData)}


@pytest.mark.parametrize("data", [RequestData(), FULL])
@pytest.mark.parametrize(
    "passed",
    [
        lambda meta: meta,
        lambda meta: json.loads(json.dumps(meta)),
        lambda meta: pickle.loads(pickle.dumps(meta)),
        lambda meta: marshal.loads(marshal.dumps(meta)),
    ],
    ids=["as it is", "json", "pickle", "marshal"],
)
def test_it_survives_what_scrapy_and_the_store_do_to_meta(data: RequestData, passed: Callable[[Any], Any]) -> None:
    request = Request(URL, meta=passed({"depth": 1, **data.to_meta()}))
    assert RequestData.of(request) == data
    assert RequestData.of(request.replace(url=URL + "moved")) == data
    assert RequestData.of(HtmlResponse(URL, request=request)) == data


@pytest.mark.parametrize(
    ("meta", "cleaned"),
    [({}, True), ({"cleancrawl": False}, False), ({"cleancrawl": True}, True), ({"cleancrawl": None}, True)],
)
def test_what_spiders_say_themselves(meta: dict[str, Any], cleaned: bool) -> None:
    assert RequestData.of(Request(URL, meta=meta)) == RequestData(cleaned=cleaned)


def test_what_another_version_wrote_is_read_as_far_as_it_goes() -> None:
    request = Request(URL, meta={KEY: {"hops": 2, "no_such_field": 1}})
    assert RequestData.of(request) == RequestData(hops=2)


def test_days() -> None:
    assert FULL.window == Window(date(2026, 11, 1), date(2026, 11, 16))
    assert RequestData().window == Window()


def test_a_saved_page_survives_the_queue_on_disk() -> None:
    page = SavedPage(URL, b"<p>text", 203, {"Content-Type": "text/html"})
    request = SavedPageRequest(URL, page=page, dont_filter=True)
    again = request_from_dict(pickle.loads(pickle.dumps(request.to_dict())))
    assert isinstance(again, SavedPageRequest)
    assert (again.url, again.page, again.meta) == (URL, page, {})


def test_a_page_that_waits_keeps_all_of_it(crawl: Crawl, server: LittleServer) -> None:
    seen: dict[str, list[RequestData]] = {}

    class Watching(NewsSpider):
        def parse_page(self, response: Response) -> Iterator[Any]:
            seen.setdefault(response.url, []).append(RequestData.of(response))
            yield {"text": None}
            yield from super().parse_page(response)

    story = server.page("/2026/11/02/the-storm-at-the-coast", page_of(1))
    server.page("/", f"<a href='{story}'>story</a>")
    settings = {"CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs_of_a_site", "CLEANCRAWL_MODE": "enrich"}
    given = {"sites": server.url, "discover": "links", "since": "2026-11-01", "until": "2026-11-16", "max_pages": "9"}
    crawled = crawl(Watching, settings, **given)
    assert crawled.stats["cleancrawl/held"] == 1
    fetched, released = seen[story]
    assert (fetched.held_since, fetched.since, fetched.until) == (None, "2026-11-01", "2026-11-16")
    assert released.held_since is not None
    assert {**released.to_meta()[KEY], "held_since": None} == {**fetched.to_meta()[KEY], "held_since": None}
