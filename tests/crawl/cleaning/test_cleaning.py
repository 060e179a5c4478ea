from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
import pydantic
import pytest
import scrapy
from itemadapter import ItemAdapter
from scrapy.http import Response

from cleancrawl.core.article import FIELDS, Article
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.errors import ConfigError
from cleancrawl.stores.opening import open_store
from tests.crawling import Crawl, LittleServer

STORY = """<html lang="en"><head><title>Storm</title><link rel="canonical" href="/storm"></head>
<body><h1>Storm</h1><p>A heavy storm hit the northern coast.</p><p><a href="/more">Read more stories</a></p></body>"""


class ListSpider(scrapy.Spider):
    name = "list"
    urls: list[str]
    items: list[Any]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.urls:
            yield scrapy.Request(url)

    def parse(self, response: Response) -> Iterator[Any]:
        yield from getattr(self, "items", [])


def test_auto_gives_an_article_beside_what_the_spider_yields(crawl: Crawl, server: LittleServer) -> None:
    crawled = crawl(ListSpider, urls=[server.page("/storm?ref=x", STORY)], items=[{"own": 1}])
    article = next(item for item in crawled.items if isinstance(item, Article))
    assert {"own": 1} in crawled.items
    assert article.text == "Storm\nA heavy storm hit the northern coast."
    assert (article.title, article.language, article.canonical_url) == ("Storm", "en", f"{server.url}/storm")
    assert (article.word_count, article.blocks_total, article.blocks_kept) == (8, 3, 2)
    assert (article.removed, article.recipe, article.score) == ({"links": 1}, "paragraphs", 1.0)
    assert article.fetched_at.endswith("+00:00")
    assert crawled.counted("") == {
        "pages": 1,
        "articles": 1,
        "blocks/total": 3,
        "blocks/kept": 2,
        "removed/links": 1,
    }


def test_what_is_no_page_is_skipped_and_what_is_no_article_dropped(crawl: Crawl, server: LittleServer) -> None:
    urls = [
        server.page("/x.pdf", b"%PDF-1.7", kind="application/pdf"),
        server.page("/image", b"GIF89a" + bytes(200)),
        server.page("/huge", "<p>words</p>" * 1000),
        server.page("/", STORY),
        server.page("/empty", ""),
        server.page("/short", "<p>Two words</p>"),
        server.page("/list", "<p>One two three four <a>five six seven eight</a></p>" + STORY),
        server.page("/gone", "", status=410),
    ]
    crawled = crawl(ListSpider, {"CLEANCRAWL_MAX_PAGE_BYTES": 8000, "HTTPERROR_ALLOW_ALL": True}, urls=urls)
    assert [item.url for item in crawled.items] == [f"{server.url}/list"]
    assert crawled.counted("skipped/") == {"not-html": 1, "binary": 1, "too-large": 1, "http-410": 1}
    assert crawled.counted("dropped/") == {"front-page": 1, "empty": 1, "too-short": 1}
    assert crawled.stats["item_dropped_count"] == 3


def test_a_page_that_fails_in_a_stage_is_logged_and_the_crawl_goes_on(
    crawl: Crawl, server: LittleServer, caplog: pytest.LogCaptureFixture
) -> None:
    urls = [server.page("/bad", STORY + "explode"), server.page("/good", STORY)]
    with caplog.at_level(logging.ERROR, "cleancrawl"):
        crawled = crawl(ListSpider, urls=urls)
    assert [item.url for item in crawled.items] == [f"{server.url}/good"]
    assert (crawled.counted("failed/"), crawled.counted("dropped/")) == ({"secondary": 1}, {"failed-secondary": 1})
    assert f"secondary failed on {server.url}/bad" in caplog.text


def test_a_request_can_opt_out(crawl: Crawl, server: LittleServer) -> None:
    class OptOut(ListSpider):
        async def start(self) -> AsyncIterator[scrapy.Request]:
            yield scrapy.Request(self.urls[0], meta={"cleancrawl": False})

    crawled = crawl(OptOut, urls=[server.page("/storm", STORY)])
    assert (crawled.items, crawled.counted("")) == ([], {})


def test_the_add_on_can_be_switched_off(crawl: Crawl, server: LittleServer) -> None:
    crawled = crawl(ListSpider, {"CLEANCRAWL_ENABLED": False}, urls=[server.page("/storm", STORY)])
    assert (crawled.items, crawled.counted("")) == ([], {})


def test_html_is_kept_on_demand(crawl: Crawl, server: LittleServer) -> None:
    crawled = crawl(ListSpider, {"CLEANCRAWL_KEEP_HTML": True}, urls=[server.page("/storm", STORY)])
    assert crawled.items[0].html == STORY


def test_an_encoding_set_by_hand_outranks_the_page(crawl: Crawl, server: LittleServer) -> None:
    class Rendering:
        def process_response(self, request: scrapy.Request, response: Response) -> Response:
            return response.replace(body=response.body, encoding="utf-8")

    page = '<meta charset="windows-1251"><p>Größe und Übermut auf den Straßen</p>'
    crawled = crawl(ListSpider, {"DOWNLOADER_MIDDLEWARES": {Rendering: 50}}, urls=[server.page("/storm", page)])
    assert crawled.items[0].text == "Größe und Übermut auf den Straßen"


@dataclass
class DataItem:
    name: str
    text: str = ""
    word_count: int = 0


@attrs.define
class AttrsItem:
    name: str
    text: str = ""
    word_count: int = 0


class PydanticItem(pydantic.BaseModel):
    name: str
    text: str = ""
    word_count: int = 0


class ScrapyItem(scrapy.Item):
    name = scrapy.Field()
    text = scrapy.Field()
    word_count = scrapy.Field()


@pytest.mark.parametrize("make", [DataItem, AttrsItem, PydanticItem, ScrapyItem])
def test_enrich_fills_the_fields_that_an_item_declares(make: Any, crawl: Crawl, server: LittleServer) -> None:
    items = [make(name="first"), make(name="second", text="my own")]
    crawled = crawl(ListSpider, {"CLEANCRAWL_MODE": "enrich"}, urls=[server.page("/storm", STORY)], items=items)
    assert [ItemAdapter(item).asdict() for item in crawled.items] == [
        {"name": "first", "text": "Storm\nA heavy storm hit the northern coast.", "word_count": 8},
        {"name": "second", "text": "my own", "word_count": 8},
    ]
    assert (crawled.counted("articles"), crawled.counted("blocks/")) == ({"": 1}, {"total": 3, "kept": 2})


def test_enrich_gives_a_dict_everything(crawl: Crawl, server: LittleServer) -> None:
    # A front page is about no article in particular.
    for path, names in (("/storm", {*FIELDS, "name"}), ("/", {"name"})):
        url = server.page(path, STORY)
        crawled = crawl(ListSpider, {"CLEANCRAWL_MODE": "enrich"}, urls=[url], items=[{"name": "mine"}])
        assert [set(item) for item in crawled.items] == [names]


TEASERS = "".join(
    f"<p>Teaser {number} tells of a storm at sea. <a href='/{number}'>more</a></p>" for number in range(3)
)


class TeaserSpider(scrapy.Spider):
    """Yields an item per teaser of a listing, as most spiders of news sites do, and one per story."""

    name = "teasers"
    urls: list[str]
    key = "url"

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.urls:
            yield scrapy.Request(url)

    def parse(self, response: Response) -> Iterator[Any]:
        for link in response.css("p a"):
            yield {"teaser": link.attrib["href"], self.key: link.attrib["href"]}
        yield {"kind": "section", "url": response.url + "#top"}
        yield from response.follow_all(css="p a", callback=self.parse_story)

    def parse_story(self, response: Response) -> Iterator[Any]:
        yield {"story": response.url, self.key: response.url + "?utm_source=feed"}


@pytest.mark.parametrize("key", ["url", "link", "href"])
@pytest.mark.parametrize("warmup", [0, 5])
def test_enrich_fills_only_items_about_the_page(key: str, warmup: int, crawl: Crawl, server: LittleServer) -> None:
    stories = {f"Story {number}": f"The storm number {number} has hit the northern coast." for number in range(3)}
    for number, (title, text) in enumerate(stories.items()):
        server.page(f"/{number}", f"<h1>{title}</h1><p>{text}</p>")
    recipe = "tests.recipes_for_tests.paragraphs_of_a_site"
    settings = {"CLEANCRAWL_MODE": "enrich", "CLEANCRAWL_WARMUP_PAGES": warmup, "CLEANCRAWL_RECIPE": recipe}
    url = server.page("/section", f"<h1>Storms</h1>{TEASERS}")
    crawled = crawl(type("Spider", (TeaserSpider,), {"key": key}), settings, urls=[url])
    teasers = [item for item in crawled.items if "teaser" in item]
    assert sorted(teasers, key=str) == [{"teaser": f"/{number}", key: f"/{number}"} for number in range(3)]
    found = {item["title"]: item["text"] for item in crawled.items if "story" in item}
    assert found == {title: f"{title}\n{text}" for title, text in stories.items()}
    (section,) = [item for item in crawled.items if "kind" in item]
    assert section["text"].startswith("Storms\nTeaser 0 tells of a storm")
    assert len(crawled.items) == 7
    assert bool(crawled.counted("held")) == bool(warmup)


def test_enrich_knows_a_page_by_its_redirects_and_its_canonical_link(crawl: Crawl, server: LittleServer) -> None:
    server.page("/storm?id=7", STORY)
    url = server.page("/old", "", status=301, headers={"Location": "/storm?id=7"})
    addresses = [url, "/storm?id=7", f"{server.url}/storm/", "/storm?id=8", "http://[broken"]
    items = [{"url": address} for address in addresses]
    crawled = crawl(ListSpider, {"CLEANCRAWL_MODE": "enrich"}, urls=[url], items=items)
    assert [len(item) > 1 for item in crawled.items] == [True, True, True, False, False]


def test_a_listing_gives_its_text_to_no_item_that_names_no_page(crawl: Crawl, server: LittleServer) -> None:
    url = server.page("/category/weather", f"<h1>Storms</h1>{TEASERS}")
    settings = {"CLEANCRAWL_MODE": "enrich", "CLEANCRAWL_ONLY_ARTICLES": True}
    crawled = crawl(ListSpider, settings, urls=[url], items=[{"name": "one"}, {"name": "two"}])
    assert crawled.counted("dropped/") == {"listing": 1}
    assert crawled.items == [{"name": "one"}, {"name": "two"}]


def test_enrich_refuses_an_item_that_declares_nothing(
    crawl: Crawl, server: LittleServer, caplog: pytest.LogCaptureFixture
) -> None:
    @dataclass
    class Price:
        price: int = 0

    with caplog.at_level(logging.ERROR):
        crawled = crawl(ListSpider, {"CLEANCRAWL_MODE": "enrich"}, urls=[server.page("/storm", STORY)], items=[Price()])
    assert crawled.items == []
    assert crawled.stats["finish_reason"] == "cleancrawl_nothing_to_enrich"
    assert "Price declares none of the fields url, site," in caplog.text


def test_every_page_is_recorded_once_article_or_not(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'crawl.db'}"
    urls = [server.page("/storm", STORY, headers={"ETag": '"1"'}), server.page("/", STORY), server.page("/no", "")]
    crawled = crawl(ListSpider, {"CLEANCRAWL_STORE": url}, urls=urls, items=[{"own": 1}])
    assert crawled.counted("articles") == {"": 1}
    store = open_store(url)
    states = store.page_states(urls)
    assert {state.url: state.reason for state in states.values()} == dict(
        zip(urls, [None, "front-page", "empty"], strict=True)
    )
    assert states[urls[0]].etag == '"1"'
    (stored,) = store.articles()
    assert stored.article is not None
    assert stored.article["text"] == "Storm\nA heavy storm hit the northern coast."
    store.close()


def test_a_changed_article_is_a_new_version_and_an_unchanged_one_no_news(
    crawl: Crawl, server: LittleServer, tmp_path: Path
) -> None:
    settings = {
        "CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'crawl.db'}",
        "CLEANCRAWL_ONLY_NEW": True,
        "CLEANCRAWL_REVISIT_HOURS": 0,
    }
    url = server.page("/storm", STORY)
    first = crawl(ListSpider, settings, urls=[url])
    again = crawl(ListSpider, settings, urls=[url])
    server.page("/storm", STORY.replace("</body>", "<p>It has moved on to the islands in the east by now.</p></body>"))
    changed = crawl(ListSpider, settings, urls=[url])
    assert [(item.version, item.previous) for item in first.items] == [(1, None)]
    assert (again.items, again.counted("dropped/")) == ([], {"unchanged": 1})
    ((version, previous),) = [(item.version, item.previous) for item in changed.items]
    assert version == 2
    assert len(previous) == 16


def test_a_store_that_cannot_be_opened_stops_the_start(crawl: Crawl) -> None:
    with pytest.raises(ConfigError, match="no store for"):
        crawl(ListSpider, {"CLEANCRAWL_STORE": "mysql://host"}, urls=[])


def test_nothing_is_left_of_a_crawl_that_has_ended(crawl: Crawl, server: LittleServer) -> None:
    crawl(ListSpider, urls=[server.page("/storm", STORY)], items=[{"own": 1}])
    assert len(OnePerCrawl._made) == 0


def test_a_domain_of_an_own_ad_list_costs_the_block(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    hosts = tmp_path / "hosts.txt"
    hosts.write_text("0.0.0.0 carpets.example\n")
    story = "<div>The council has decided that the old bridge will be closed until the summer of next year.</div>"
    offer = "<div><a href='https://shop.carpets.example/'>Carpets, sold at half their price this week</a></div>"
    url = server.page("/bridge", f"<html lang=en><title>Bridge</title><body>{story}{offer}")
    core = {"CLEANCRAWL_RECIPE": "core-content", "CLEANCRAWL_MIN_WORDS": 0}
    for lists, removed in (([], {}), ([str(hosts)], {"": 1})):
        crawled = crawl(ListSpider, {**core, "CLEANCRAWL_AD_LISTS": lists}, urls=[url])
        assert crawled.counted("removed/ad-domain") == removed
    assert "Carpets" not in crawled.items[0].text
