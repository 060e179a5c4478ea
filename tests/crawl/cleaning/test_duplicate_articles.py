from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import scrapy

from cleancrawl.core.article import Article
from cleancrawl.stores.opening import open_store
from tests.crawling import Crawl, LittleServer

UNHELD = {"CLEANCRAWL_WARMUP_PAGES": 0, "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True}
SENTENCES = [
    f"Sentence number {n} tells how the {n * 7} boats of harbour {n * 3} were sold in year {n}." for n in range(30)
]


class InOrderSpider(scrapy.Spider):
    """One page after the other: which of two copies came first is then certain."""

    name = "order"
    custom_settings = {"CONCURRENT_REQUESTS": 1}  # noqa: RUF012
    urls: list[str]
    own: bool = False

    async def start(self) -> Any:
        yield scrapy.Request(self.urls[0], cb_kwargs={"rest": self.urls[1:]}, dont_filter=True)

    def parse(self, response: Any, rest: list[str]) -> Any:
        if self.own:
            yield {"url": response.url, "duplicate_of": None}
        if rest:
            yield scrapy.Request(rest[0], cb_kwargs={"rest": rest[1:]}, dont_filter=True, priority=-1)


def page(title: str, sentences: list[str]) -> str:
    return f"<html lang=en><title>{title}</title>" + "".join(f"<p>{sentence}</p>" for sentence in sentences)


@pytest.fixture
def urls(server: LittleServer) -> list[str]:
    return [
        server.page("/first", page("Boats", SENTENCES)),
        server.page("/other", page("Weather", [f"Rain fell for {n} hours on hill {n * n}." for n in range(30)])),
        server.page("/copy", page("Boats sold", ["By our agency.", *SENTENCES[2:]])),
        server.page("/copy-of-copy", page("Boats", [*SENTENCES[3:], "Subscribe to our newsletter today."])),
    ]


def marked(items: list[Any], server: LittleServer) -> dict[str, str | None]:
    return {
        item.url.removeprefix(server.url): item.duplicate_of and item.duplicate_of.removeprefix(server.url)
        for item in items
        if isinstance(item, Article)
    }


def test_copies_are_marked_with_the_first_url(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    crawled = crawl(InOrderSpider, {"CLEANCRAWL_WARMUP_PAGES": 0}, urls=[*urls, urls[0]])
    assert marked(crawled.items, server) == {
        "/first": None,
        "/other": None,
        "/copy": "/first",
        "/copy-of-copy": "/first",
    }
    assert crawled.stats["cleancrawl/duplicates"] == 2


def test_copies_are_dropped(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    crawled = crawl(InOrderSpider, {"CLEANCRAWL_DUPLICATES": "drop", "CLEANCRAWL_WARMUP_PAGES": 0}, urls=urls)
    assert set(marked(crawled.items, server)) == {"/first", "/other"}
    assert crawled.stats["cleancrawl/dropped/duplicate"] == 2


def test_copies_are_kept_unasked(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    crawled = crawl(InOrderSpider, {"CLEANCRAWL_DUPLICATES": "keep", "CLEANCRAWL_WARMUP_PAGES": 0}, urls=urls)
    assert set(marked(crawled.items, server).values()) == {None}


def test_a_spiders_own_items_are_told(crawl: Crawl, server: LittleServer, urls: list[str]) -> None:
    chosen = {"CLEANCRAWL_MODE": "enrich", "CLEANCRAWL_WARMUP_PAGES": 0}
    crawled = crawl(InOrderSpider, chosen, urls=urls, own=True)
    assert [item["duplicate_of"] for item in crawled.items] == [None, None, urls[0], urls[0]]


class TwoSites:
    """The same story on two sites: what the store says of it after a crawl in a certain order."""

    def __init__(self, crawl: Crawl, server: LittleServer, other: LittleServer, store: str) -> None:
        self.crawl, self.store, self.servers = crawl, store, {"a": server, "b": other}

    def page(self, name: str, canonical: str | None = None, published: str | None = None) -> str:
        """``a/story`` is the page of that name on the first site; so is the canonical address written."""
        site, _, path = name.partition("/")
        head = f'<link rel="canonical" href="{self.url(canonical)}">' if canonical else ""
        if published:
            head += f'<meta property="article:published_time" content="{published}">'
        html = page("Boats", SENTENCES).replace("<title>", f"{head}<title>")
        return self.servers[site].page(f"/{path}", html)

    def url(self, name: str) -> str:
        site, _, path = name.partition("/")
        return f"{self.servers[site].url}/{path}"

    def short(self, url: str | None) -> str | None:
        for name, server in self.servers.items():
            url = url and url.replace(server.url, name)
        return url

    def visit(self, *names: str, **settings: Any) -> dict[str, str | None]:
        """Of which article each given item is a copy."""
        chosen = {"CLEANCRAWL_STORE": self.store, **UNHELD, **settings}
        items = self.crawl(InOrderSpider, chosen, urls=[self.url(name) for name in names]).items
        return {f"{self.short(item.url)}": self.short(item.duplicate_of) for item in items}

    def stored(self) -> dict[str, str | None]:
        store = open_store(self.store)
        entries = store.articles()
        store.close()
        return {f"{self.short(e.url)}": self.short((e.article or {}).get("duplicate_of")) for e in entries}


@pytest.fixture
def two_sites(crawl: Crawl, server: LittleServer, other_server: LittleServer, tmp_path: Path) -> TwoSites:
    return TwoSites(crawl, server, other_server, f"sqlite:///{tmp_path / 'store.db'}")


@pytest.mark.parametrize("mode", ["mark", "drop"])
def test_a_copy_that_names_the_original_gives_way_when_it_comes(two_sites: TwoSites, mode: str) -> None:
    two_sites.page("b/copy", canonical="a/story")
    two_sites.page("b/second-copy", canonical="a/story")
    two_sites.page("a/story", canonical="a/story")
    given = two_sites.visit("b/copy", "b/second-copy", "a/story", CLEANCRAWL_DUPLICATES=mode)
    assert given["a/story"] is None
    copies = {"b/copy": "a/story", "b/second-copy": "a/story"} if mode == "mark" else {"b/copy": "a/story"}
    assert two_sites.stored() == {**copies, "a/story": None}
    # Fetched again, each stays what it is.
    two_sites.visit("b/copy", "a/story", CLEANCRAWL_DUPLICATES=mode)
    assert two_sites.stored() == {**copies, "a/story": None}


def test_no_article_is_dropped_for_one_that_admits_to_come_from_elsewhere(two_sites: TwoSites) -> None:
    # The canonical address is another spelling of the original's site, or that of a third one.
    two_sites.page("b/copy", canonical="a/another-address")
    two_sites.page("a/story")
    assert two_sites.visit("b/copy", "a/story", CLEANCRAWL_DUPLICATES="drop") == {"b/copy": None, "a/story": None}
    assert two_sites.stored() == {"b/copy": "a/story", "a/story": None}
    third = page("Boats", SENTENCES).replace("<title>", '<link rel=canonical href="https://agency.example/7"><title>')
    two_sites.servers["b"].page("/agency", third)
    two_sites.store += ".2"
    assert two_sites.visit("b/agency", "a/story", CLEANCRAWL_DUPLICATES="drop") == {"b/agency": None, "a/story": None}
    assert two_sites.stored() == {"b/agency": None, "a/story": None}


def test_a_front_page_as_canonical_admits_nothing(two_sites: TwoSites) -> None:
    two_sites.page("b/first", canonical="a/")
    two_sites.page("a/second")
    assert two_sites.visit("b/first", "a/second") == {"b/first": None, "a/second": "b/first"}


def test_the_print_version_comes_first(two_sites: TwoSites) -> None:
    two_sites.page("a/print", canonical="a/story")
    two_sites.page("a/story")
    two_sites.page("b/copy")
    two_sites.visit("a/print", "b/copy", "a/story")
    assert two_sites.stored() == {"a/print": "a/story", "b/copy": "a/story", "a/story": None}


def test_who_names_itself_as_canonical_makes_no_copy_of_a_stored_original(two_sites: TwoSites) -> None:
    two_sites.page("a/story")
    two_sites.page("b/thief", canonical="b/thief", published="2020-01-01")
    two_sites.page("a/dated", canonical="a/story", published="2026-03-01")
    two_sites.visit("a/story", "b/thief", "a/dated", "a/story")
    assert two_sites.stored() == {"a/story": None, "b/thief": "a/story", "a/dated": "a/story"}


@pytest.mark.parametrize(
    ("first", "second", "copy_of"),
    [
        ("2026-03-05", "2026-03-01", None),  # clearly earlier: not dropped for the one that came first
        ("2026-03-02T01:00:00+02:00", "2026-03-01T20:00:00Z", "b/first"),  # a day says nothing
        ("2026-03-01", "2026-03-05", "b/first"),
        ("2026-03-05", "1970-01-01", "b/first"),  # no date
        ("2026-03-05", None, "b/first"),
        (None, "2026-03-01", "b/first"),
    ],
)
def test_a_date_saves_the_later_page_and_displaces_nothing(
    two_sites: TwoSites, first: str | None, second: str | None, copy_of: str | None
) -> None:
    two_sites.page("b/first", published=first)
    two_sites.page("a/second", published=second)
    two_sites.visit("b/first", "a/second", "b/first")
    assert two_sites.stored() == {"b/first": None, "a/second": copy_of}


def test_a_killed_run_leaves_copies_that_the_next_one_finds_marked(two_sites: TwoSites) -> None:
    two_sites.page("b/copy", canonical="a/story")
    two_sites.page("a/story")
    two_sites.visit("b/copy")
    store = open_store(two_sites.store)
    assert store.mark_duplicate(two_sites.url("b/copy"), two_sites.url("a/story"))
    store.close()
    assert two_sites.visit("a/story", "b/copy") == {"a/story": None, "b/copy": "a/story"}
    assert two_sites.stored() == {"b/copy": "a/story", "a/story": None}
