"""A crawl reads a page as ``clean`` does, whatever its server says: nothing of Scrapy's own reading comes through."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from cleancrawl import clean
from cleancrawl.core.html.decode import decode
from spiders.news import NewsSpider
from spiders.pages import PagesSpider
from tests.core.html.encoded_pages import encoded_pages
from tests.crawling import Crawl, LittleServer
from tests.recipes_for_tests import default_in_any_order
from tests.site.manifest import article_pages, pages
from tests.site.server import SampleSite
from tests.site.test_server import fetch

SETTINGS = {
    "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.default_in_any_order",
    "CLEANCRAWL_MIN_WORDS": 0,
    "CLEANCRAWL_ONLY_ARTICLES": False,
}
COMPARED = "title authors description tags section language published site_name image".split()
ANNOUNCED = ["text/html", "text/html; charset=iso-8859-1", "text/html; charset=nonsense", "text/html; charset=base64"]


@pytest.mark.parametrize("warmup", [0, 5])
def test_every_page_of_the_sample_site(crawl: Crawl, site: SampleSite, warmup: int) -> None:
    urls = [site.portals[page.portal].url + page.path for page in pages() if page.status == 200 and page.kind != "live"]
    crawled = crawl(PagesSpider, {**SETTINGS, "CLEANCRAWL_WARMUP_PAGES": warmup}, urls=" ".join(urls))
    found = {item.url: item for item in crawled.items}
    assert {site.portals[page.portal].url + page.path for page in article_pages()} <= set(found)
    recipe = default_in_any_order()
    for url, item in found.items():
        split = url.index("/", len("http://"))
        reply = fetch(url[:split], url[split:])
        document = clean(reply.body, url=url, recipe=recipe)
        assert document.page.source == decode(reply.body, reply.headers["Content-Type"])[0]
        assert item.text == document.text, url
        for name in COMPARED:
            expected = getattr(document.metadata, name)
            assert getattr(item, name) == (list(expected) if isinstance(expected, tuple) else expected), (url, name)
    for page in article_pages():
        item = found[site.portals[page.portal].url + page.path]
        assert item.title == page.title
        assert item.authors == [page.author]


@pytest.mark.parametrize("announced", ANNOUNCED)
def test_encodings_that_are_not_declared(crawl: Crawl, server: LittleServer, announced: str) -> None:
    """With the header of a careless server: nothing, a habit, or nonsense."""
    declared = "8859" in announced
    for number, page in enumerate(encoded_pages(declare_language=True)):
        # Declared Latin-1 is believed where the bytes do not speak against it.
        body = page.html.encode() if declared else page.body
        server.page(f"/{number}", body, kind=announced)
    urls = [server.url + path for path in server.answers]
    crawled = crawl(PagesSpider, SETTINGS, urls=" ".join(urls))
    found = {item.url: item for item in crawled.items}
    recipe = default_in_any_order()
    assert set(found) == set(urls)
    for path, answer in server.answers.items():
        document = clean(answer.body, url=server.url + path, recipe=recipe)
        assert document.text
        assert found[server.url + path].text == document.text
        assert found[server.url + path].title == document.title


def test_links_are_those_of_the_page_that_was_read(crawl: Crawl, server: LittleServer) -> None:
    front = (
        '<html><body><p>São Telmo e a cidade</p><a href="/notícia/são-telmo">São Telmo</a>'
        '<a href="/busca?q=coração">Coração</a></body></html>'
    )
    server.page("/", front, kind="text/html; charset=iso-8859-1")
    crawl(NewsSpider, SETTINGS, sites=server.url, discover="links")
    asked = [path for path, _ in server.requests]
    assert quote("/notícia/são-telmo") in asked
    assert "/busca?q=" + quote("coração") in asked


def test_an_undeclared_page_links_as_in_a_browser(crawl: Crawl, server: LittleServer) -> None:
    text = "<p>Новый мост через реку откроют для движения уже в октябре, на два месяца раньше срока.</p>"
    front = f'<html><body>{text}<a href="/новости/мост?слово=мост">Мост</a></body></html>'
    server.page("/", front.encode("cp1251"))
    crawl(NewsSpider, SETTINGS, sites=server.url, discover="links")
    asked = [path for path, _ in server.requests]
    # The path in UTF-8, the query in the encoding of the page.
    path = quote("/новости/мост") + "?" + quote("слово".encode("cp1251")) + "=" + quote("мост".encode("cp1251"))
    assert path in asked
