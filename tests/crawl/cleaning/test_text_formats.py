"""``CLEANCRAWL_FORMATS``: Markdown and clean HTML come with the article, whatever the store, and without the page."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from itemadapter import ItemAdapter
from lxml import html as lxml_html

import cleancrawl
from cleancrawl.cli import main
from cleancrawl.core.document import Document
from cleancrawl.core.text.words import words
from spiders.news import NewsSpider
from tests.crawl.cleaning.test_cleaning import ListSpider
from tests.crawling import Crawl, LittleServer
from tests.site.server import SampleSite
from tests.stores.redis_process import RedisProcess

STORY = """<html lang="en"><head><title>Storm</title></head><body><h1>Storm</h1>
<p>A <b>heavy</b> storm hit <a href="/coast">the northern coast</a> on Monday.</p>
<p><a href="/">Read more</a></p></body>"""
ALL = ("text", "markdown", "html")


def renderings(url: str) -> dict[str, str]:
    markdown = f"# Storm\n\nA **heavy** storm hit [the northern coast]({url}/coast) on Monday."
    link = f'<a href="{url}/coast">the northern coast</a>'
    html = f"<h1>Storm</h1>\n<p>A <strong>heavy</strong> storm hit {link} on Monday.</p>"
    return {"markdown": markdown, "clean_html": html}


@pytest.fixture(params=["sqlite", "redis"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    with tempfile.TemporaryDirectory(prefix="redis-") as directory:
        server = RedisProcess(Path(directory)).start()
        yield server.url
        server.stop()


@pytest.mark.parametrize(
    ("formats", "filled"),
    [
        (None, set()),
        (("text",), set()),
        ("markdown", {"markdown"}),
        (["html", "text"], {"clean_html"}),
        (ALL, {"markdown", "clean_html"}),
    ],
)
def test_an_article_has_what_was_asked_for(formats: Any, filled: set[str], crawl: Crawl, server: LittleServer) -> None:
    settings = {} if formats is None else {"CLEANCRAWL_FORMATS": formats}
    (article,) = crawl(ListSpider, settings, urls=[server.page("/storm", STORY)]).items
    expected = {name: text if name in filled else None for name, text in renderings(server.url).items()}
    assert {name: getattr(article, name) for name in expected} == expected
    assert article.text == "Storm\nA heavy storm hit the northern coast on Monday."
    assert article.html is None


def test_pages_that_waited_for_their_site_have_them_as_well(crawl: Crawl, sample_site: SampleSite) -> None:
    settings = {"CLEANCRAWL_RECIPE": "default", "CLEANCRAWL_FORMATS": ALL, "CLEANCRAWL_ONLY_ARTICLES": True}
    crawled = crawl(NewsSpider, settings, sites=sample_site.a, discover="sitemap", max_pages="8")
    assert crawled.counted("held")[""] >= 3
    assert len(crawled.items) >= 3
    for article in crawled.items:
        # All that is in the text is in its renderings, whatever stands around the words there.
        shown = lxml_html.fragment_fromstring(article.clean_html, create_parent=True).text_content()
        assert words(shown) == words(article.text), article.url
        assert set(words(article.text)) <= set(words(article.markdown)), article.url


@dataclass
class OwnItem:
    name: str
    markdown: str = ""
    clean_html: str = "mine"


def test_own_items_gain_the_fields_that_they_declare(crawl: Crawl, server: LittleServer) -> None:
    settings = {"CLEANCRAWL_FORMATS": ALL, "CLEANCRAWL_MODE": "enrich"}
    url = server.page("/storm", STORY)
    (item,) = crawl(ListSpider, settings, urls=[url], items=[OwnItem("own")]).items
    assert ItemAdapter(item).asdict() == {**renderings(server.url), "name": "own", "clean_html": "mine"}


def test_only_articles_pay_for_it(crawl: Crawl, server: LittleServer, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str | None] = []
    monkeypatch.setattr(Document, "markdown", property(lambda self: rendered.append(self.url) or "rendered"))
    urls = [server.page("/storm", STORY), server.page("/short", "<p>Two words</p>")]
    crawl(ListSpider, {"CLEANCRAWL_FORMATS": "markdown"}, urls=urls)
    assert rendered == urls[:1]


def test_exports_have_them_without_the_page(store_url: str, crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    url = server.page("/storm", STORY)
    settings = {"CLEANCRAWL_STORE": store_url, "CLEANCRAWL_FORMATS": ALL}
    crawl(ListSpider, settings, urls=[url])
    assert main(["export", store_url, "-o", str(tmp_path / "corpus.jsonl")]) == 0
    (record,) = map(json.loads, (tmp_path / "corpus.jsonl").read_text("utf-8").splitlines())
    expected = renderings(server.url)
    assert {name: record[name] for name in expected} == expected
    assert "html" not in record
    assert main(["export", store_url, "--format", "markdown", "-o", str(tmp_path / "files")]) == 0
    (file,) = (tmp_path / "files").rglob("*.md")
    assert file.read_text("utf-8").endswith(f"---\n\n{expected['markdown']}\n")


def test_what_was_crawled_before_gains_them_when_it_is_fetched_again(
    store_url: str, crawl: Crawl, server: LittleServer
) -> None:
    url = server.page("/storm", STORY)
    for formats in ("text", ALL, "text"):
        crawl(ListSpider, {"CLEANCRAWL_STORE": store_url, "CLEANCRAWL_FORMATS": formats}, urls=[url])
    store = cleancrawl.open_store(store_url)
    (entry,) = store.articles()
    store.close()
    assert entry.version == 1
    assert entry.article is not None
    assert {name: entry.article[name] for name in renderings("")} == renderings(server.url)
