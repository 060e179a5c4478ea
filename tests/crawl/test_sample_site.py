from __future__ import annotations

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler

from cleancrawl.core.text.words import words
from cleancrawl.crawl.config import Config
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.metrics import word_score
from spiders.archive import ArchiveSpider
from spiders.news import NewsSpider
from spiders.pages import PagesSpider
from tests.crawling import Crawl
from tests.site.manifest import article_pages, pages
from tests.site.server import SampleSite

REAL = {
    "CLEANCRAWL_RECIPE": "default",
    "CLEANCRAWL_MIN_WORDS": 30,
    "CLEANCRAWL_ONLY_ARTICLES": Config().only_articles,
    "ROBOTSTXT_OBEY": True,
}
FLOOR = 0.95


def test_news_brings_home_every_article(crawl: Crawl, site: SampleSite) -> None:
    crawled = crawl(NewsSpider, REAL, sites=" ".join(site.urls))
    found = {item.url: item for item in crawled.items}
    for page in article_pages():
        article = found[site.portals[page.portal].url + page.path]
        assert word_score(words(article.text), words(page.gold_text)).f1 >= FLOOR, page.path
    # A print version is an article as well; whatever else there is on the portals is none.
    articles = {site.portals[page.portal].url + page.path for page in pages() if page.kind in ("article", "print")}
    assert set(found) <= articles
    assert {"front-page", "listing", "empty", "video"} <= set(crawled.counted("dropped/"))
    assert crawled.counted("outcome/")["http-500"] >= 1
    assert crawled.stats["robotstxt/forbidden"] > 0
    assert not site.requests(path="/private/drafts")


@pytest.mark.parametrize("way", ["sitemap", "feed", "links"])
def test_each_way_of_discovery_finds_articles_alone(way: str, crawl: Crawl, site: SampleSite) -> None:
    crawled = crawl(NewsSpider, REAL, sites=site.a, discover=way)
    assert crawled.counted("articles")[""] >= 3
    assert list(crawled.counted("discovery/found-by-")) == [way]


def test_max_pages_takes_the_newest(crawl: Crawl, site: SampleSite) -> None:
    crawled = crawl(NewsSpider, {**REAL, "CONCURRENT_REQUESTS": 1}, sites=site.a, discover="sitemap", max_pages="3")
    assert crawled.counted("pages")[""] == 3
    assert crawled.counted("discovery/")["over-max-pages"] > 0


def test_since_leaves_older_pages_alone(crawl: Crawl, site: SampleSite) -> None:
    crawled = crawl(NewsSpider, REAL, sites=site.a, since="2026-03-10")
    assert all(item.published is None or item.published >= "2026-03-10" for item in crawled.items)
    asked = {entry.path for entry in site.requests("a")}
    older = {page.path for page in article_pages("a") if page.date and page.date < "2026-03-10"}
    assert older
    assert not asked & older
    assert "/old/harbour-bridge" in asked  # which redirects to one of them


def test_pages_fetches_the_given_pages_and_nothing_else(crawl: Crawl, site: SampleSite) -> None:
    paths = sorted(page.path for page in article_pages("a"))[:3]
    crawled = crawl(PagesSpider, REAL, urls=",".join(site.a + path for path in paths))
    assert sorted(item.url for item in crawled.items) == [site.a + path for path in paths]
    assert {entry.path for entry in site.requests()} == {*paths, "/robots.txt"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "-a sites= needs one or more URLs"),
        ({"sites": "@no/such/file"}, "-a sites=@no/such/file: No such file"),
        ({"sites": "ftp://a.example"}, "'ftp://a.example' is not an http or https address"),
        ({"sites": "http://[::1"}, "is not an http"),
        ({"sites": "a.example", "since": "yesterday"}, "-a since= must be a day such as 2026-11-01"),
        ({"sites": "a.example", "since": "2026-11-02", "until": "2026-11-01"}, "-a since=2026-11-02 is later than"),
        ({"sites": "a.example", "max_pages": "few"}, "-a max_pages= must be a whole number"),
        ({"sites": "a.example", "max_pages": "-3"}, "a whole number of at least 1, not '-3'"),
        ({"sites": "a.example", "max_pages": "0"}, "a whole number of at least 1, not '0'"),
        ({"sites": "a.example", "depth": "9" * 5000}, "-a depth= must be a whole number of at least 0"),
        ({"sites": "notaurl"}, "'notaurl' is not an http or https address"),
        ({"sites": "https://a.example,b..example"}, "'b..example' is not an http or https address"),
        ({"sites": "pyproject.toml"}, "pyproject.toml is a file: write -a sites=@pyproject.toml"),
        ({"sites": "a.example", "max_page": "3"}, "-a max_page=: did you mean max_pages? news takes sites, max_pages,"),
        ({"sites": "a.example", "colour": "3"}, "-a colour=; news takes sites, max_pages, since, until, depth, disc"),
        ({"sites": "a.example", "discover": "links,radar"}, "sitemap, feed, links, not radar"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError) as error:
        NewsSpider.from_crawler(Crawler(NewsSpider), **arguments)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_what_scrapyd_adds_and_what_a_subclass_declares_is_known() -> None:
    class Own(NewsSpider):
        def __init__(self, edition: str = "", **kwargs: str) -> None:
            super().__init__(**kwargs)
            self.edition = edition

    given = {"sites": "a.example", "edition": "west", "_job": "6f1c", "_version": "3"}
    assert Own.from_crawler(Crawler(Own), **given).edition == "west"
    with pytest.raises(ConfigError, match="did you mean edition"):
        Own.from_crawler(Crawler(Own), sites="a.example", editions="west")


@pytest.mark.parametrize(("spider", "name"), [(PagesSpider, "url"), (ArchiveSpider, "sources")])
def test_the_other_spiders_know_their_arguments(spider: type[Spider], name: str) -> None:
    with pytest.raises(ConfigError, match=f"did you mean {'urls' if name == 'url' else 'source'}"):
        spider.from_crawler(Crawler(spider), **{name: "https://a.example"})
    with pytest.raises(ConfigError, match=r"urls= needs one or more URLs|say what to read"):
        spider.from_crawler(Crawler(spider))
