from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from scrapy.http import HtmlResponse, Request

from cleancrawl.crawl.date_window import Window
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.frontier import LISTINGS_PER_PATTERN, PAGES_OF_ONE, Frontier
from cleancrawl.crawl.discovery.spider_arguments import NewsArguments
from cleancrawl.crawl.request_data import RequestData


def frontier(**arguments: str) -> Frontier:
    return Frontier(NewsArguments.read(sites="https://a-site.com", **arguments), lambda what: None)


def page(html: str, hops: int = 0) -> HtmlResponse:
    request = Request("https://a-site.com/", meta=RequestData(hops=hops).to_meta())
    return HtmlResponse("https://a-site.com/", body=html.encode(), encoding="utf-8", request=request)


def found(front: Frontier, html: str, hops: int = 0) -> list[str]:
    return [request.url for request in front.links(page(html, hops), lambda: None)]


def test_links_stay_on_the_site_in_one_spelling() -> None:
    html = (
        "<a href='/s?utm_source=x#top'>1</a><a href='https://www.a-site.com/t'>2</a><a href='https://b-site.com/'>3</a>"
        "<a href='mailto:x@a-site.com'>4</a><a href='http://[bad/'>5</a><a href='/i.png'>6</a>"
    )
    assert found(frontier(), html) == ["https://a-site.com/s", "https://www.a-site.com/t"]


def test_depth_ends_the_chain() -> None:
    front = frontier(depth="2")
    assert found(front, "<a href='/s'>1</a>", hops=1) == ["https://a-site.com/s"]
    assert found(front, "<a href='/s'>1</a>", hops=2) == []


def test_the_next_page_of_a_listing_is_no_step_deeper() -> None:
    html = "<a href='/?page=2'>next</a><a href='/sport'>sport</a>"
    requests = list(frontier().links(page(html, hops=1), lambda: None))
    assert [(request.url, RequestData.of(request).hops) for request in requests] == [
        ("https://a-site.com/?page=2", 1),
        ("https://a-site.com/sport", 2),
    ]


def test_endless_calendars_and_circles_are_no_trap() -> None:
    front = frontier()
    calendar = "".join(f"<a href='/calendar/{day}'>x</a>" for day in range(LISTINGS_PER_PATTERN + 50))
    assert len(found(front, calendar)) == LISTINGS_PER_PATTERN
    assert found(front, "<a href='/a/b/a/b/a/b/a/b/'>x</a>") == []
    stories = "".join(f"<a href='/news/story-number-{day}-of-many'>x</a>" for day in range(LISTINGS_PER_PATTERN + 50))
    assert len(found(front, stories)) == LISTINGS_PER_PATTERN + 50


def test_newer_entries_have_a_higher_priority_and_foreign_ones_none() -> None:
    front = frontier(since="2026-01-01")
    today = front.now.date().isoformat()
    new = front.entry(Entry("https://a-site.com/new", today), "sitemap", print)
    undated = front.entry(Entry("https://a-site.com/some"), "sitemap", print)
    assert new is not None
    assert undated is not None
    assert new.priority > undated.priority
    assert front.entry(Entry("https://a-site.com/old", "2025-12-31"), "feed", print) is None
    assert front.entry(Entry("https://b-site.com/", today), "feed", print) is None
    assert front.entry(Entry("http://[bad/", today), "feed", print) is None


def test_a_front_page_that_leads_elsewhere_is_adopted() -> None:
    front = frontier()
    front.adopt("https://www.a-news.com/")
    assert found(front, "<a href='https://a-news.com/s'>1</a>") == ["https://a-news.com/s"]


def test_what_is_wanted_travels_on_the_request() -> None:
    front = frontier(since="2026-01-01", until="2026-02-01", max_pages="7")
    request = front.entry(Entry("https://www.a-site.com/new", "2026-01-02"), "sitemap", print)
    assert request is not None
    assert RequestData.of(request) == RequestData(
        domain="a-site.com",
        max_pages=7,
        since="2026-01-01",
        until="2026-02-01",
        announced="2026-01-02",
        hops=3,
        found_as="https://www.a-site.com/new",
    )
    assert RequestData.of(request).window == front.arguments.window
    assert RequestData.of(front.front("https://a-site.com/", print)).roams
    aside = front.aside("https://a-site.com/", "/sitemap.xml", print, "a-site.com", 20)
    expected = RequestData(cleaned=False, aside_of="a-site.com", max_documents=20)
    assert RequestData.of(aside) == expected
    child = front.child(Entry("https://a-site.com/b.xml"), 0, print, RequestData.of(aside))
    assert RequestData.of(child) == replace(expected, sitemap_level=1)


def test_sites_come_from_a_file_too(tmp_path: Path) -> None:
    listed = tmp_path / "sites.txt"
    listed.write_text("# ours\nhttps://a-site.com  # first\n\nb-site.com\nhttps://a-site.com\n")
    arguments = NewsArguments.read(sites=f"@{listed}", until="2026-11-01")
    assert arguments.sites == ("https://a-site.com/", "https://b-site.com/")
    assert arguments.window == Window(None, date(2026, 11, 1))
    assert not arguments.window.admits("2026-11-02")
    assert arguments.window.reaches("2026-11-02")
    assert arguments.window.admits("no date")


def test_further_pages_of_one_article_end_and_those_of_many_do_not() -> None:
    front = frontier()
    endless = "".join(f"<a href='/the-storm-hits-the-coast?page={number}'>x</a>" for number in range(PAGES_OF_ONE + 50))
    assert len(found(front, endless)) == PAGES_OF_ONE
    many = "".join(f"<a href='/story-number-{number}-of-many?page=2'>x</a>" for number in range(PAGES_OF_ONE + 50))
    assert len(found(front, many)) == PAGES_OF_ONE + 50


def test_tokens_that_tell_pages_apart_are_no_sessions() -> None:
    tokens = [f"{number:04}c0ffee00c0ffee" for number in range(50)]
    for shape in ("/article/{}", "/a/{}/index.html", "/view?id={}", "/{}/the-story-of-number-{}"):
        html = "".join(f"<a href='{shape.format(token, token)}'>x</a>" for token in tokens)
        assert len(found(frontier(), html)) == len(tokens), shape
