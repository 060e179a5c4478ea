from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from scrapy.http import HtmlResponse

from cleancrawl.errors import CleanCrawlError
from cleancrawl.lab.bench import crawl_cost as crawl
from cleancrawl.lab.bench.crawl_worker import PagesSpider, TrafilaturaPipeline, settings_of
from cleancrawl.lab.bench.datasets import load_sets
from tests.extras import needs
from tests.lab.bench.conftest import ARTICLE, PAGES, SECOND, page_html


def test_the_same_crawl_three_ways(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("trafilatura", "bench")
    monkeypatch.setattr(crawl, "_ROUNDS", 1)
    (found,) = load_sets(data, ["texts"])
    lines = crawl.report(found.pages, "default", 2).splitlines()
    assert lines[0].startswith("| crawl of 2 pages")
    assert [line.split("|")[1].strip() for line in lines[2:]] == list(crawl.WAYS.values())
    assert lines[2].split("|")[3].strip() == lines[2].split("|")[5].strip() == "1.0 ×"
    assert [line.split("|")[-2].strip() for line in (lines[2], lines[4])] == ["2", "2"]


def test_the_table_takes_the_median_of_the_rounds() -> None:
    rounds = [{way: {"cpu": cpu, "wall": 2 * cpu, "items": 5.0} for way in crawl.WAYS} for cpu in (1.0, 3.0, 100.0)]
    rounds[1]["clean"]["cpu"] = 6.0
    lines = crawl.table(rounds, 10).splitlines()
    assert "300.00" in lines[2]
    assert "2.0 ×" in lines[3]


def test_a_failed_crawl_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CleanCrawlError, match="the crawl 'with cleaning and store' failed"):
        crawl.crawl("clean", [], "no-such-recipe", tmp_path / "run")


def test_the_server_knows_its_pages_only() -> None:
    with crawl.serve({"/0.html": b"<p>text"}) as address:
        with urlopen(f"{address}/0.html") as response:
            assert response.read() == b"<p>text"
        with pytest.raises(HTTPError, match="404") as missing:
            urlopen(f"{address}/1.html")
        missing.value.close()


def test_what_the_spider_yields() -> None:
    response = HtmlResponse("http://127.0.0.1/0.html", body=PAGES["0001"][0].encode())
    quiet = PagesSpider([response.url], html=False, items=False)
    assert list(quiet.parse(response)) == []
    (item,) = PagesSpider([response.url], html=True, items=True).parse(response)
    assert item["title"] == "New bridge for Aldbury"
    assert item["html"] == PAGES["0001"][0]

    linked = HtmlResponse("http://127.0.0.1/1.html", body=b"<title>T</title><a href=0.html>a</a><a href=/other>b</a>")
    assert [request.url for request in quiet.parse(linked)] == [response.url]
    assert list(PagesSpider([response.url], html=False, items=False, links=False).parse(linked)) == []

    async def requests() -> list[str]:
        return [request.url async for request in quiet.start()]

    assert asyncio.run(requests()) == [response.url]


def test_the_pipeline_puts_text_in_place_of_html() -> None:
    needs("trafilatura", "bench")
    item = {"url": "http://127.0.0.1/0.html", "html": page_html(f"{ARTICLE} {SECOND}", f"{SECOND} {ARTICLE}")}
    item = asyncio.run(TrafilaturaPipeline().process_item(item))
    assert "html" not in item
    assert "rebuild the bridge" in item["text"]


@pytest.mark.parametrize(
    ("way", "name"), [("parse", None), ("clean", "ADDONS"), ("trafilatura", "ITEM_PIPELINES"), ("title", None)]
)
def test_each_way_adds_one_thing_to_the_settings(way: str, name: str | None) -> None:
    settings = settings_of({"way": way, "recipe": "default", "directory": "/x"})
    assert {"ADDONS", "ITEM_PIPELINES"} & set(settings) == ({name} if name else set())
