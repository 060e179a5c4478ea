"""Articles whose pages go, and come back, over several runs of a harvest."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.cli import main
from cleancrawl.crawl.fetching.revisit import HOUR, is_due
from cleancrawl.sinks.reader import EmbeddedReader
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageState
from spiders.news import NewsSpider
from tests.crawling import Answer, Crawl, Crawled, LittleServer
from tests.sinks.fake_cluster import FakeCluster, running

GONE, STAYS = "/news/the-council-closes-the-old-bridge", "/news/the-harbour-is-opened-again"
Harvest = Callable[..., Crawled]


def story(number: int) -> str:
    text = f"Bridge number {number} was closed on day {number} of the year by the council of the town."
    return f"<html lang=en><title>Story {number}</title><h1>Story {number}</h1><p>{text}</p>"


def front(*paths: str) -> str:
    return "<html lang=en><title>News</title>" + "".join(f"<a href='{path}'>story</a>" for path in paths)


@pytest.fixture
def news(server: LittleServer) -> LittleServer:
    server.page("/", front(GONE, STAYS))
    server.page(GONE, story(1), headers={"ETag": '"1"'})
    server.page(STAYS, story(2))
    return server


@pytest.fixture
def harvest(crawl: Crawl, news: LittleServer, tmp_path: Path) -> Harvest:
    def run(**settings: Any) -> Crawled:
        news.requests.clear()
        chosen = {
            "CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'harvest.db'}",
            "CLEANCRAWL_ONLY_NEW": True,
            "CLEANCRAWL_REVISIT_HOURS": 0,
            **settings,
        }
        return crawl(NewsSpider, chosen, sites=news.url, discover="links")

    return run


def state(tmp_path: Path, url: str) -> PageState:
    store = open_store(f"sqlite:///{tmp_path / 'harvest.db'}")
    try:
        return store.page_states([url])[url]
    finally:
        store.close()


def exported(tmp_path: Path, *options: str) -> dict[str, dict[str, Any]]:
    target = tmp_path / "corpus.jsonl"
    assert main(["export", f"sqlite:///{tmp_path / 'harvest.db'}", "-o", str(target), *options]) == 0
    return {record["url"]: record for record in map(json.loads, target.read_text().splitlines())}


def indexed(directory: Path) -> set[str]:
    return set(EmbeddedReader(directory).urls("bridge", limit=10))


def asked(server: LittleServer, path: str) -> int:
    return [place for place, _ in server.requests].count(path)


def test_a_deleted_article_is_withdrawn_by_the_second_run_and_comes_back_with_its_page(
    harvest: Harvest, news: LittleServer, tmp_path: Path
) -> None:
    live, synced = tmp_path / "live", tmp_path / "synced"
    index = {"CLEANCRAWL_INDEX": f"tantivy:///{live}"}
    sync = ["sync", f"sqlite:///{tmp_path / 'harvest.db'}", f"tantivy:///{synced}"]
    gone, stays = news.url + GONE, news.url + STAYS
    assert {item.url for item in harvest(**index).items} == {gone, stays}
    assert main(sync) == 0
    assert indexed(live) == indexed(synced) == {gone, stays}
    # Deleted as a site does it: nothing leads to it any more.
    news.page("/", front(STAYS))
    news.page(GONE, "Not found", status=404)
    first = harvest(**index)
    assert (asked(news, GONE), first.counted("withdrawn"), state(tmp_path, gone).misses) == (1, {}, 1)
    assert "withdrawn" not in exported(tmp_path)[gone]
    assert indexed(live) == {gone, stays}
    second = harvest(**index)
    assert (asked(news, GONE), second.counted("withdrawn"), state(tmp_path, gone).misses) == (1, {"": 1}, 2)
    assert second.items == []
    assert second.counted("index/deleted") == {"": 1}
    records = exported(tmp_path)
    assert records[gone]["withdrawn"] >= records[gone]["fetched_at"]
    assert records[gone]["text"].endswith("by the council of the town.")
    assert "withdrawn" not in records[stays]
    assert set(exported(tmp_path, "--no-withdrawn")) == {stays}
    assert "| withdrawn: their pages are gone | 1 |" not in (tmp_path / "corpus.md").read_text()
    assert exported(tmp_path)
    assert "| withdrawn: their pages are gone | 1 |" in (tmp_path / "corpus.md").read_text()
    assert indexed(live) == {stays}
    assert main(sync) == 0
    assert indexed(synced) == {stays}
    # Once is enough.
    assert harvest(**index).counted("withdrawn") == {}
    # Back as it was, ETag included: the article is given again.
    news.page(GONE, story(1), headers={"ETag": '"1"'})
    back = harvest(**index)
    assert [(item.url, item.version) for item in back.items] == [(gone, 2)]
    assert "withdrawn" not in exported(tmp_path)[gone]
    assert main(sync) == 0
    assert indexed(live) == indexed(synced) == {gone, stays}
    assert state(tmp_path, gone).misses == 0


@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_a_server_that_fails_or_refuses_takes_nothing_away(
    status: int, harvest: Harvest, news: LittleServer, tmp_path: Path
) -> None:
    harvest()
    news.page("/", front(STAYS))
    news.page(GONE, "No", status=status, headers={"Retry-After": "0"})
    for _ in range(3):
        assert harvest().counted("withdrawn") == {}
        assert asked(news, GONE) == 1
    assert "withdrawn" not in exported(tmp_path)[news.url + GONE]
    assert state(tmp_path, news.url + GONE).misses == 0


def test_a_site_that_is_down_is_not_gone(harvest: Harvest, news: LittleServer, tmp_path: Path) -> None:
    harvest()
    for path in ("/", GONE, STAYS):
        news.answers[path] = Answer(b"down", status=503)
    for _ in range(3):
        assert harvest().counted("withdrawn") == {}
    # It gave no page in this run: its articles are not asked for one by one.
    assert asked(news, GONE) == 0


@pytest.mark.parametrize(("target", "misses"), [("/", 1), ("{url}", 1), ("/news/moved-to-another-place", 0)])
def test_readers_who_are_sent_to_the_front_page_find_no_article(
    target: str, misses: int, harvest: Harvest, news: LittleServer, tmp_path: Path
) -> None:
    harvest()
    news.page("/news/moved-to-another-place", story(3))
    location = {"Location": target.format(url=news.url)}
    news.page(GONE, "", status=301, headers={"Location": GONE + "/"})
    news.page(GONE + "/", "", status=302, headers=location)
    harvest()
    assert state(tmp_path, news.url + GONE).misses == misses
    assert harvest().counted("withdrawn") == ({"": 1} if misses else {})


def test_a_page_that_leads_to_one_that_is_gone_is_gone(harvest: Harvest, news: LittleServer, tmp_path: Path) -> None:
    harvest()
    news.page(GONE, "", status=302, headers={"Location": "/error/404"})
    news.page("/error/404", "Not found", status=404)
    harvest()
    assert harvest().counted("withdrawn") == {"": 1}
    # The page of the error was never an article.
    assert state(tmp_path, news.url + "/error/404").version == 0


def test_it_can_be_left_out(harvest: Harvest, news: LittleServer, tmp_path: Path) -> None:
    harvest()
    news.page("/", front(STAYS))
    news.page(GONE, "Not found", status=410)
    for _ in range(3):
        harvest(CLEANCRAWL_WITHDRAW_AFTER=0)
    assert state(tmp_path, news.url + GONE).misses == 3
    assert "withdrawn" not in exported(tmp_path)[news.url + GONE]
    harvest(CLEANCRAWL_REVISIT_PAGES=0)
    assert asked(news, GONE) == 0


def test_only_so_many_known_articles_are_looked_at_and_only_where_nothing_led_to_them(
    harvest: Harvest, news: LittleServer
) -> None:
    paths = [f"/news/the-story-with-the-number-{number}" for number in range(6)]
    for number, path in enumerate(paths):
        news.page(path, story(10 + number))
    news.page("/", front(*paths, STAYS))
    assert len(harvest().items) == 7
    news.page("/", front(STAYS))
    crawled = harvest(CLEANCRAWL_REVISIT_PAGES=4)
    assert sum(asked(news, path) for path in paths) == 4
    assert (asked(news, STAYS), crawled.counted("revisit/")["known"]) == (1, 4)
    # Those first that were not seen for longer.
    seen = {path for path in paths if asked(news, path)}
    harvest(CLEANCRAWL_REVISIT_PAGES=4)
    assert set(paths) - seen <= {place for place, _ in news.requests}


def test_nothing_is_asked_for_before_its_time(harvest: Harvest, news: LittleServer) -> None:
    harvest()
    news.page("/", front(STAYS))
    assert harvest(CLEANCRAWL_REVISIT_HOURS=1).counted("revisit/") == {"not-due": 1}
    assert asked(news, GONE) == 0


def test_a_page_that_was_missed_is_looked_at_soon_whatever_the_sitemap_says() -> None:
    day = 86_400.0
    missed = PageState("https://a.example/", "a.example", 0, 100 * day, 404, version=1, changes=(0.0,), misses=1)
    soon = missed.last_fetched + 2 * HOUR
    assert is_due(missed, "1970-01-02", soon)
    assert not is_due(replace(missed, misses=0), "1970-01-02", soon)
    assert not is_due(replace(missed, misses=0), None, soon)
    assert not is_due(replace(missed, misses=3), None, soon)


def test_a_server_index_loses_it_too(harvest: Harvest, news: LittleServer) -> None:
    with running(FakeCluster()) as cluster:
        index = {"CLEANCRAWL_INDEX": f"opensearch://127.0.0.1:{cluster.port}/news"}
        harvest(**index)
        news.page(GONE, "Not found", status=404)
        found = []
        for _ in range(2):
            harvest(**index)
            found.append({document["url"] for document in cluster.documents.values()})
    assert found == [{news.url + GONE, news.url + STAYS}, {news.url + STAYS}]
