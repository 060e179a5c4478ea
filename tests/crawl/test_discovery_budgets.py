"""Sites that have no end, crawled over real HTTP: what is asked for is counted, and the articles are found."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.crawl.discovery.budgets import FREE_DOCUMENTS
from cleancrawl.crawl.discovery.frontier import LISTINGS_PER_PATTERN, SESSIONS_OF_ONE
from cleancrawl.crawl.output.summary import summary
from spiders.news import NewsSpider
from tests.crawl.cleaning.test_cleaning import STORY
from tests.crawling import Answer, Crawl, LittleServer

STORIES = [f"/news/the-storm-at-the-coast-{number}" for number in range(4)]
GUARD = {"CLOSESPIDER_PAGECOUNT": 700}
"""Ends what would not end."""


class Answers(dict[str, Answer]):
    """Answers that are made when they are asked for: of such a site, there is no list."""

    def __init__(self, make: Callable[[str], str | bytes | None], fixed: dict[str, Answer]) -> None:
        super().__init__(fixed)
        self.make = make

    def get(self, path: str, default: Any = None) -> Any:
        made = None if path in self else self.make(path)
        if made is None:
            return super().get(path, default)
        return Answer(made.encode() if isinstance(made, str) else made, "text/html" if "<html" in str(made) else "x/y")


def site_of(server: LittleServer, make: Callable[[str], str | bytes | None]) -> None:
    for path in STORIES:
        server.page(path, STORY)
    server.page("/", "<html><p>Front</p>")
    server.answers = Answers(make, server.answers)


def asked(server: LittleServer, start: str) -> list[str]:
    return [path for path, _ in server.requests if path.startswith(start)]


def urlset(*paths: str) -> str:
    dates = dict.fromkeys(STORIES, "<lastmod>2026-11-16</lastmod>")
    return "<urlset>" + "".join(f"<url><loc>{path}</loc>{dates.get(path, '')}</url>" for path in paths) + "</urlset>"


def index(*paths: str) -> str:
    return "<sitemapindex>" + "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in paths) + "</sitemapindex>"


@pytest.mark.parametrize("lines", [12_500, 100_000])
def test_a_hundred_thousand_sitemaps_are_not_read_for_five_pages(
    crawl: Crawl, server: LittleServer, lines: int
) -> None:
    named = [f"Sitemap: /map-{number}.xml" for number in range(lines)]
    named.insert(5_000, "Sitemap: /news.xml")
    # All name the same page: which of them comes first must not decide what the five pages are.
    site_of(server, lambda path: urlset(STORIES[0]) if path.startswith("/map-") else None)
    server.page("/robots.txt", "\n".join(named), kind="text/plain")
    server.page("/news.xml", urlset(*STORIES), kind="text/xml")
    crawled = crawl(NewsSpider, GUARD, sites=server.url, max_pages="5", discover="sitemap")
    assert 1 < len(asked(server, "/map-")) <= FREE_DOCUMENTS + 5
    assert crawled.counted("discovery/")["over-documents"] > 9_000
    assert len(server.requests) < 40
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}


def test_no_index_hides_another(crawl: Crawl, server: LittleServer) -> None:
    site_of(server, lambda path: index(*[f"/deep{path}-{n}" for n in range(90)]) if "/deep" in path else None)
    server.page("/robots.txt", "Sitemap: /deep\nSitemap: /index.xml", kind="text/plain")
    server.page("/index.xml", index("/a.xml", "/b.xml"), kind="text/xml")
    server.page("/a.xml", urlset(*STORIES[:2]), kind="text/xml")
    server.page("/b.xml", urlset(*STORIES[2:]), kind="text/xml")
    settings = {**GUARD, "CLEANCRAWL_DISCOVERY_DOCUMENTS": 50}
    crawled = crawl(NewsSpider, settings, sites=server.url, discover="sitemap")
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}
    assert len(asked(server, "/deep")) + len(asked(server, "/a")) <= 50
    assert crawled.counted("discovery/")["over-documents"] > 0


def test_entries_are_counted_as_they_are_read_and_end_discovery(crawl: Crawl, server: LittleServer) -> None:
    maps = [f"/map-{number}.xml.gz" for number in range(30)]
    full = gzip.compress(urlset(*STORIES, *[f"/x/{number}/" for number in range(100)]).encode())
    site_of(server, lambda path: full if path.startswith("/map-") else None)
    server.page("/robots.txt", "\n".join(f"Sitemap: {path}" for path in maps), kind="text/plain")
    settings = {**GUARD, "CLEANCRAWL_DISCOVERY_ENTRIES": 130, "CONCURRENT_REQUESTS": 1}
    crawled = crawl(NewsSpider, settings, sites=server.url, discover="sitemap")
    assert len(asked(server, "/map-")) <= 4
    assert crawled.counted("discovery/")["over-entries"] >= 1
    assert crawled.counted("discovery/")["found-by-sitemap"] == 130
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}


def test_a_small_sitemap_that_unpacks_to_fifty_megabytes_is_read_as_far_as_its_budget(
    crawl: Crawl, server: LittleServer
) -> None:
    start = urlset(*STORIES).removesuffix("</urlset>").encode()
    server.page("/robots.txt", "Sitemap: /bomb.xml.gz", kind="text/plain")
    server.page("/bomb.xml.gz", gzip.compress(start + b"<url><a/></url>" * 3_300_000, 9), kind="application/gzip")
    site_of(server, lambda path: None)
    settings = {**GUARD, "CLEANCRAWL_DISCOVERY_BYTES": 500_000}
    crawled = crawl(NewsSpider, settings, sites=server.url, max_pages="9", discover="sitemap")
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}
    assert crawled.counted("discovery/")["over-bytes"] == 1
    assert "not read        1 sitemaps and feeds, or their ends: over the budget of bytes" in summary(crawled.stats, {})


def test_a_crawl_that_is_stopped_asks_for_no_queued_sitemap(crawl: Crawl, server: LittleServer) -> None:
    site_of(server, lambda path: urlset(*STORIES) if path.startswith("/map-") else None)
    maps = "\n".join(f"Sitemap: /map-{number}.xml" for number in range(60))
    server.page("/robots.txt", maps, kind="text/plain")
    slow = {"DOWNLOAD_DELAY": 0.3, "DOWNLOAD_DELAY_JITTER": 0, "CONCURRENT_REQUESTS": 32, "CLOSESPIDER_TIMEOUT": 1}
    crawled = crawl(NewsSpider, slow, sites=server.url)
    assert crawled.stats["finish_reason"] == "closespider_timeout"
    # One in 0.3 s; the 32 that had left Scrapy's queue waited in the downloader's.
    assert len(server.requests) < 9
    assert crawled.counted("discovery/")["not-asked-for"] > 10


def test_a_sitemap_that_is_packed_for_the_way_is_bounded_too(crawl: Crawl, server: LittleServer) -> None:
    site_of(server, lambda path: None)
    server.page("/robots.txt", "Sitemap: /bomb.xml\nSitemap: /good.xml", kind="text/plain")
    packed = {"kind": "text/xml", "headers": {"Content-Encoding": "gzip"}}
    server.page("/bomb.xml", gzip.compress(b"<urlset>" + b" " * 60_000_000, 1), **packed)
    server.page("/good.xml", gzip.compress(urlset(*STORIES).encode()), **packed)
    crawled = crawl(NewsSpider, GUARD, sites=server.url, discover="sitemap")
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}
    assert crawled.stats["httpcompression/response_bytes"] < 1_000_000


def test_a_stopped_crawl_does_not_wait_for_a_busy_site(crawl: Crawl, server: LittleServer) -> None:
    site_of(server, lambda path: None)
    server.page("/robots.txt", "busy", status=429, headers={"Retry-After": "12"})
    crawled = crawl(NewsSpider, {"CLOSESPIDER_TIMEOUT": 1}, sites=server.url)
    assert crawled.stats["finish_reason"] == "closespider_timeout"
    assert not asked(server, "/sitemap")
    assert crawled.counted("discovery/")["not-asked-for"] > 0


def test_with_a_job_directory_nothing_that_was_dropped_is_lost(
    crawl: Crawl, server: LittleServer, tmp_path: Path
) -> None:
    site_of(server, lambda path: None)
    links = "".join(f"<a href={path}>x</a>" for path in STORIES)
    server.page("/", f"<html><p>Front</p>{links}")
    settings = {"JOBDIR": str(tmp_path), "DOWNLOAD_DELAY": 0.2, "DOWNLOAD_DELAY_JITTER": 0}
    first = crawl(NewsSpider, {**settings, "CLOSESPIDER_PAGECOUNT": 2}, sites=server.url, discover="links")
    assert first.counted("discovery/")["not-asked-for"] > 0
    second = crawl(NewsSpider, settings, sites=server.url, discover="links")
    assert second.items
    assert {item.url for item in first.items + second.items} == {server.url + path for path in STORIES}


def test_when_the_last_page_is_asked_for_no_more_sitemaps_are(crawl: Crawl, server: LittleServer) -> None:
    site_of(server, lambda path: urlset(*STORIES) if path.startswith("/map-") else None)
    maps = "\n".join(f"Sitemap: /map-{number}.xml" for number in range(16))
    server.page("/robots.txt", maps, kind="text/plain")
    slow = {"DOWNLOAD_DELAY": 0.1, "DOWNLOAD_DELAY_JITTER": 0, "CONCURRENT_REQUESTS": 32}
    crawled = crawl(NewsSpider, slow, sites=server.url, max_pages="1")
    assert len(asked(server, "/map-")) <= 1
    assert crawled.stats["finish_reason"] == "finished"


def test_the_beginning_of_an_endless_robots_txt_counts(crawl: Crawl, server: LittleServer) -> None:
    site_of(server, lambda path: None)
    server.page("/map.xml", urlset(*STORIES, "/secret/the-end-of-the-storm"), kind="text/xml")
    server.page("/secret/the-end-of-the-storm", STORY)
    start = b"Sitemap: /map.xml\nUser-agent: *\nDisallow: /secret\n"
    server.page("/robots.txt", start + b"# so it goes\n" * 1_500_000 + b"Disallow: /\n", kind="text/plain")
    crawled = crawl(NewsSpider, {**GUARD, "ROBOTSTXT_OBEY": True}, sites=server.url, discover="sitemap")
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}
    assert not asked(server, "/secret")
    assert crawled.stats["downloader/response_bytes"] < 3_000_000


@pytest.mark.parametrize("shape", ["/calendar/{0}/{1:02}/events", "/calendar/{0}{1:02}01"])
def test_a_calendar_without_end_ends(crawl: Crawl, server: LittleServer, shape: str) -> None:
    links = "".join(f"<a href={path}>x</a>" for path in STORIES)
    months = [shape.format(year, month) for year in range(1990, 2040) for month in range(1, 13)]
    places = {path: number for number, path in enumerate(months)}

    def page(path: str) -> str | None:
        if path not in places:
            return None
        following = months[places[path] + 1 : places[path] + 25]
        return "<html>" + "".join(f"<a href={place}>x</a>" for place in following)

    site_of(server, page)
    server.page("/", f"<html><p>Front</p>{links}<a href={months[0]}>Calendar</a>")
    crawled = crawl(NewsSpider, GUARD, sites=server.url, depth="30", discover="links")
    assert 20 < len(asked(server, "/calendar")) <= LISTINGS_PER_PATTERN
    assert crawled.counted("discovery/")["trap"] > 0
    assert {item.url for item in crawled.items} == {server.url + path for path in STORIES}


@pytest.mark.parametrize(
    ("shape", "most"),
    [
        ("/(S({0})){1}", 1),
        ("{1};jsessionid={0}", 1),
        ("{1}?SID={0}", 1),
        ("{1}?x={0}", SESSIONS_OF_ONE),
        ("/visit/{0}{1}", SESSIONS_OF_ONE),
    ],
)
def test_a_new_session_in_every_link_makes_no_new_articles(
    crawl: Crawl, server: LittleServer, shape: str, most: int
) -> None:
    served = 0

    def page(path: str) -> str | None:
        nonlocal served
        if not path.endswith("/start") and not any(story in path for story in STORIES):
            return None
        served += 1
        links = (shape.format(f"{served:05}c0ffee{served:05}ab", story) for story in STORIES)
        return "<html>" + STORY + "".join(f"<a href='{link}'>x</a>" for link in links)

    server.answers = Answers(page, server.answers)
    crawled = crawl(NewsSpider, GUARD, sites=f"{server.url}/start", depth="30", discover="links")
    for story in STORIES:
        assert 1 <= len([path for path, _ in server.requests if story in path]) <= most
        assert any(re.search(f"{story}(?!\\d)", item.url) for item in crawled.items)
