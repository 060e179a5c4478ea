"""What cleaning tells about links decides their order, and nothing but their order."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.http import HtmlResponse, Request

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.crawl.discovery import steering as module
from cleancrawl.crawl.discovery import url_shapes
from cleancrawl.crawl.discovery.frontier import STORY_PRIORITY, Frontier
from cleancrawl.crawl.discovery.page_links import MOST_LINKS
from cleancrawl.crawl.discovery.spider_arguments import NewsArguments
from cleancrawl.crawl.discovery.steering import HIGHEST, LOWEST, Steering
from cleancrawl.crawl.discovery.url_shapes import UrlShapes
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.spiders.news import NewsSpider
from tests.crawling import Crawl, LittleServer

HTML = """<ul><li><a href="/politics">Politics</a></li><li><a href="/weather">Weather</a></li></ul>
<p>The river rose, as <a href="/flood">the flood warning</a> had said.</p><p><a href="/sport">Sport of today</a></p>"""


def ranks(steering: Steering, page: Page | None) -> dict[str, int]:
    front = Frontier(NewsArguments.read(sites="https://a-site.com"), lambda what: None, steering=steering)
    request = Request("https://a-site.com/", meta=RequestData().to_meta())
    response = HtmlResponse("https://a-site.com/", body=HTML.encode(), encoding="utf-8", request=request)
    if page is not None:
        steering.judged(response, page)
    return {
        request.url.removeprefix("https://a-site.com"): request.priority for request in front.links(response, print)
    }


def cleaned() -> Page:
    page = Page(HTML)
    page.blocks = [
        Block("Politics", 1, 1, "li"),
        Block("Weather", 1, 1, "li"),
        Block("The river rose, as the flood warning had said.", 9, 3, "p"),
        Block("Sport of today", 3, 3, "p"),
    ]
    page.blocks[0].remove("secondary", "site-block", "seen on 9 of 9 pages")
    page.blocks[3].remove("score", "learned", "0.1")
    return page


def test_links_in_content_come_first_and_those_in_known_noise_last() -> None:
    found = ranks(Steering(), cleaned())
    assert found["/weather"] == found["/flood"] > found["/sport"] > found["/politics"] >= LOWEST
    assert found["/sport"] == 0
    assert set(ranks(Steering(), None).values()) == {0}


def test_the_best_place_of_a_link_counts_and_pictures_tell_none() -> None:
    places = module.Places(cleaned())
    assert places.worth(["Politics", ""]) == module.IN_NOISE
    assert places.worth(["Politics", "Sport of today"]) == 0
    assert places.worth(["Politics", "the flood warning"]) == module.IN_CONTENT


def test_shapes_that_gave_articles_come_first_and_those_that_gave_nothing_last() -> None:
    steering = Steering()
    for number in range(3):
        steering.shapes.note(f"https://a-site.com/read/{number}", article=True)
        steering.shapes.note(f"https://a-site.com/tag?name={number}", article=False)
    article = steering.rank("https://a-site.com/read/7", module.OTHER_CHANCE)
    nothing = steering.rank("https://a-site.com/tag?name=7", module.OTHER_CHANCE)
    assert nothing < steering.rank("https://b-site.com/read/7", module.OTHER_CHANCE) < article


def test_pages_that_lead_to_articles_do_not_sink() -> None:
    steering = Steering()
    for number in range(3):
        steering.shapes.note(f"https://a-site.com/sport?page={number}", article=False)
        steering.shapes.led(f"https://a-site.com/sport?page={number}")
    assert steering.rank("https://a-site.com/sport?page=9", module.OTHER_CHANCE) == 0


def test_no_link_overtakes_sitemaps_and_feeds_more_than_without_it() -> None:
    steering = Steering()
    for number in range(100):
        steering.shapes.note(f"https://a-site.com/story-number-{number}-of-many", article=True)
    assert steering.rank("https://a-site.com/story-number-100-of-many", 1.0) == HIGHEST == STORY_PRIORITY


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_shapes, "MOST_SHAPES", 10)
    shapes = UrlShapes()
    for number in range(50):
        shapes.note(f"https://a{number}.example/{'b/' * number}", article=True)
    assert len(shapes) == 10
    shapes.forget({f"a{number}.example" for number in range(50)})
    assert len(shapes) == 0
    page = Page("")
    page.blocks = [Block("x" * 1_000_000, 1, 1, "p")]
    steering = Steering()
    response = HtmlResponse("https://a.example/")
    steering.judged(response, page)
    places = steering._places[response]
    for number in range(MOST_LINKS):
        places.worth([f"some link {number}"])
    assert places.searches < 0


def site(server: LittleServer) -> None:
    """Twenty searches that find nothing, and a section with four articles: by their URLs alone all are alike."""
    searches = "".join(f"<p><a href='/search?q={word}'>{word}</a></p>" for word in range(20))
    # The last link of a page is the first that is asked for, all else being equal.
    server.page("/", f"<p>Front</p><p><a href='/section'>Section</a></p>{searches}")
    for word in range(20):
        server.page(f"/search?q={word}", "<p>Nothing</p>")
    server.page("/section", "".join(f"<p><a href='/{number}'>Story {number}</a></p>" for number in range(4)))
    for number in range(4):
        server.page(f"/{number}", f"<h1>Storm {number}</h1><p>A heavy storm {number} hit the northern coast again.</p>")


def order(crawl: Crawl, server: LittleServer, **settings: object) -> list[str]:
    """The pages that are asked for, the front page aside."""
    server.requests.clear()
    chosen = {"CONCURRENT_REQUESTS": 1, "CLEANCRAWL_WARMUP_PAGES": 0, **settings}
    crawl(NewsSpider, chosen, sites=server.url, discover="links")
    return [path for path, _ in server.requests][1:]


def test_articles_come_sooner_and_no_page_is_lost(crawl: Crawl, server: LittleServer) -> None:
    site(server)
    before, after = order(crawl, server, CLEANCRAWL_STEER=False), order(crawl, server)
    assert sorted(before) == sorted(after)
    assert len(after) == len(set(after)) == 25
    last = [max(paths.index(f"/{number}") for number in range(4)) for paths in (before, after)]
    assert last[0] == 24
    assert last[1] < 10


def test_a_page_that_was_put_off_leads_to_no_page_twice(crawl: Crawl, server: LittleServer) -> None:
    site(server)
    for word in range(0, 20, 2):
        server.page(f"/search?q={word}", "", status=302, headers={"Location": "/section"})
    asked = order(crawl, server)
    assert len(asked) == len(set(asked)) == 25


def test_articles_of_an_earlier_crawl_tell_shapes(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    settings = {
        "CLEANCRAWL_STORE": f"sqlite:///{tmp_path}/s.db",
        "CONCURRENT_REQUESTS": 1,
        "CLEANCRAWL_WARMUP_PAGES": 0,
    }
    words = "".join(f"<p>A heavy storm {word} hit the northern coast.</p>" for word in range(3))
    server.page("/x1", f"<h1>Storm</h1>{words}")
    server.page("/", "<p>Front</p><a href='/x1'>first</a>")
    crawl(NewsSpider, settings, sites=server.url, discover="links")
    server.page("/", "<p>Front</p><p><a href='/x2'>second</a></p><p><a href='/y'>other</a></p>")
    server.requests.clear()
    crawl(NewsSpider, settings, sites=server.url, discover="links")
    assert [path for path, _ in server.requests][-2:] == ["/x2", "/y"]
