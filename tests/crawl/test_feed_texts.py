"""Feeds with the whole text, over real HTTP, with the default recipe."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request

from cleancrawl.core.text.words import words
from cleancrawl.crawl.discovery.frontier import Callback
from cleancrawl.lab.bench.metrics import word_score
from cleancrawl.stores.opening import open_store
from spiders.news import NewsSpider
from tests.crawl.test_sample_site import REAL
from tests.crawling import Crawl, Crawled, LittleServer
from tests.site.gazette import ARTICLES, Entry, front_page, page, rss, teaser

OPEN, PAID, EMPTY, OTHER = ARTICLES


def publish(server: LittleServer, *entries: Entry, feed: str | None = None) -> None:
    server.page("/", front_page(ARTICLES))
    server.page("/robots.txt", "User-agent: *\nDisallow: /private", kind="text/plain")
    server.page(OPEN.path, page(OPEN, OPEN.gold))
    server.page(PAID.path, page(PAID, teaser(PAID), paywalled=True), headers={"ETag": '"paid"'})
    server.page(EMPTY.path, page(EMPTY, []))
    server.page(OTHER.path, page(OTHER, OTHER.gold))
    server.page("/feed.xml", feed or rss(server.url, entries), kind="application/rss+xml")


class FeedsFirst(NewsSpider):
    """Pages of the front page are asked for when its feed has been read."""

    def look_aside(self, base: str, places: Sequence[str], callback: Callback) -> Iterator[Request]:
        yield from (request.replace(priority=1000) for request in super().look_aside(base, places, callback))


class FeedsLast(NewsSpider):
    def look_aside(self, base: str, places: Sequence[str], callback: Callback) -> Iterator[Request]:
        yield from (request.replace(priority=-1000) for request in super().look_aside(base, places, callback))


def news(crawl: Crawl, server: LittleServer, spider: type[NewsSpider] = FeedsFirst, **settings: Any) -> Crawled:
    chosen = {**REAL, "CLEANCRAWL_WARMUP_PAGES": 0, "CONCURRENT_REQUESTS": 1, **settings}
    return crawl(spider, chosen, sites=server.url, discover="feed,links")


def by_path(server: LittleServer, crawled: Crawled) -> dict[str, Any]:
    return {item.url.removeprefix(server.url): item for item in crawled.items}


def f1(text: str, gold: list[str]) -> float:
    return word_score(words(text), words("\n".join(gold))).f1


@pytest.mark.parametrize("warmup", [0, 5])
def test_a_feed_checks_the_page_and_fills_what_it_lacks(warmup: int, crawl: Crawl, server: LittleServer) -> None:
    publish(server, *(Entry(article, article.gold) for article in ARTICLES))
    crawled = news(crawl, server, CLEANCRAWL_WARMUP_PAGES=warmup, CLEANCRAWL_FORMATS=["markdown", "html"])
    found = by_path(server, crawled)
    assert found.keys() == {article.path for article in ARTICLES}
    assert {path: item.text_source for path, item in found.items()} == {
        OPEN.path: None,
        PAID.path: "feed",
        EMPTY.path: "feed",
        OTHER.path: None,
    }
    for article in ARTICLES:
        assert f1(found[article.path].text, article.gold) > 0.95, article.path
    assert found[OPEN.path].feed_agreement > 0.95
    assert found[PAID.path].feed_agreement < 0.8
    assert (found[EMPTY.path].feed_agreement, found[EMPTY.path].title) == (None, EMPTY.title)
    assert PAID.gold[-1][:40] in found[PAID.path].markdown
    assert PAID.gold[-1][:40] in found[PAID.path].clean_html
    assert found[PAID.path].word_count == len(words(found[PAID.path].text))


def test_a_page_that_came_before_its_feed_is_fetched_once_more_where_it_lacks_the_text(
    crawl: Crawl, server: LittleServer
) -> None:
    publish(server, *(Entry(article, article.gold) for article in ARTICLES))
    crawled = news(crawl, server, FeedsLast)
    texts = {(item.url.removeprefix(server.url), item.text_source) for item in crawled.items}
    assert texts >= {(PAID.path, "feed"), (EMPTY.path, "feed"), (OPEN.path, None)}
    asked = [path for path, _ in server.requests]
    assert [asked.count(article.path) for article in ARTICLES] == [1, 2, 2, 1]


def test_a_feed_of_summaries_says_nothing(crawl: Crawl, server: LittleServer) -> None:
    cut = [*OPEN.gold[:2], "And then […]"]
    publish(server, Entry(OPEN, teaser(OPEN)), Entry(PAID, cut), Entry(OTHER, OTHER.gold[: len(OTHER.gold) // 2]))
    found = by_path(server, news(crawl, server))
    assert {(item.text_source, item.feed_agreement) for item in found.values()} == {(None, None)}
    assert f1(found[OPEN.path].text, OPEN.gold) > 0.95


def test_off_feeds_only_find_pages(crawl: Crawl, server: LittleServer) -> None:
    publish(server, *(Entry(article, article.gold) for article in ARTICLES))
    found = by_path(server, news(crawl, server, CLEANCRAWL_FEED_TEXTS=False))
    assert EMPTY.path not in found
    assert {(item.text_source, item.feed_agreement) for item in found.values()} == {(None, None)}


def test_a_feed_that_is_about_something_else_is_told_by_its_agreement(crawl: Crawl, server: LittleServer) -> None:
    publish(server, Entry(OPEN, OTHER.gold), Entry(PAID, OTHER.gold))
    found = by_path(server, news(crawl, server))
    assert found[OPEN.path].feed_agreement < 0.6
    assert f1(found[OPEN.path].text, OPEN.gold) > 0.95
    assert PAID.path not in found or found[PAID.path].text_source is None


def test_a_feed_speaks_for_its_own_site_alone(crawl: Crawl, server: LittleServer, other_server: LittleServer) -> None:
    publish(server)
    other_server.page("/robots.txt", "User-agent: *\nDisallow: /private", kind="text/plain")
    other_server.page("/", front_page(ARTICLES))
    other_server.page("/feed.xml", rss(server.url, [Entry(PAID, PAID.gold), Entry(EMPTY, EMPTY.gold)]), kind="text/xml")
    chosen = {**REAL, "CLEANCRAWL_WARMUP_PAGES": 0}
    crawled = crawl(NewsSpider, chosen, sites=f"{server.url} {other_server.url}", discover="feed,links")
    assert "feed" not in {item.text_source for item in crawled.items}
    assert server.url + EMPTY.path not in {item.url for item in crawled.items}


def test_what_a_feed_had_is_not_lost_when_it_has_it_no_more(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    store_url = f"sqlite:///{tmp_path / 'feeds.db'}"
    settings = {"CLEANCRAWL_STORE": store_url, "CLEANCRAWL_ONLY_NEW": True, "CLEANCRAWL_REVISIT_HOURS": 0}
    publish(server, Entry(PAID, PAID.gold))
    first = by_path(server, news(crawl, server, **settings))
    assert first[PAID.path].text_source == "feed"
    assert PAID.path not in by_path(server, news(crawl, server, **settings))
    # A correction in the feed is a new version, though the page has not changed.
    publish(server, Entry(PAID, [*PAID.gold, "An earlier version of this article had a wrong name in its last line."]))
    second = by_path(server, news(crawl, server, **settings))
    assert (second[PAID.path].version, second[PAID.path].text_source) == (2, "feed")
    publish(server)
    assert PAID.path not in by_path(server, news(crawl, server, **settings))
    store = open_store(store_url)
    entry = store.article(server.url + PAID.path)
    assert entry is not None
    assert entry.article is not None
    assert (entry.version, entry.article["text"]) == (2, second[PAID.path].text)
    store.close()
    # A page that is free to read now has the last word.
    server.page(PAID.path, page(PAID, [*PAID.gold, "The last word of the page, which anybody can read by now."]))
    third = by_path(server, news(crawl, server, **settings))
    assert (third[PAID.path].version, third[PAID.path].text_source) == (3, None)


@pytest.mark.parametrize("kind", ["atom", "json"])
def test_other_kinds_of_feeds(kind: str, crawl: Crawl, server: LittleServer) -> None:
    html = "".join(f"<p>{escape(line)}</p>" for line in PAID.gold)
    url = server.url + PAID.path
    if kind == "atom":
        feed = (
            "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>Gazette</title><entry>"
            f"<title>{PAID.title}</title><link href='{url}'/><summary>Short.</summary>"
            f"<content type='html'>{escape(html)}</content></entry></feed>"
        )
    else:
        feed = json.dumps(
            {"version": "https://jsonfeed.org/version/1.1", "items": [{"url": url, "content_html": html}]}
        )
    publish(server, feed=feed)
    found = by_path(server, news(crawl, server))
    assert found[PAID.path].text_source == "feed"
    assert f1(found[PAID.path].text, PAID.gold) > 0.95


def test_hostile_content_is_cleaned(crawl: Crawl, server: LittleServer) -> None:
    last = f"<p onclick='x()'>{PAID.gold[-1]}</p>"
    bad = f"<script>alert(1)</script>{last}<iframe src='http://evil.example'></iframe>"
    publish(server, Entry(PAID, PAID.gold[:-1], more=bad))
    found = by_path(server, news(crawl, server, CLEANCRAWL_FORMATS=["html"]))
    assert found[PAID.path].text_source == "feed"
    html = found[PAID.path].clean_html
    assert PAID.gold[-1][:40] in html
    assert not [word for word in ("script", "onclick", "iframe", "alert") if word in html + found[PAID.path].text]
