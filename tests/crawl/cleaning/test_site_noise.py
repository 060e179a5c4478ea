"""What counts as noise of a site, on the sample site."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cleancrawl.lab.bench.metrics import tokens, word_score
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store
from spiders.news import NewsSpider
from spiders.pages import PagesSpider
from tests.crawling import Crawl
from tests.site.manifest import article_pages, pages
from tests.site.server import SampleSite

QUOTE = "Nobody on Skarn should have to wonder whether the road under their children's school bus is sound."
PRINT = next(page for page in pages() if page.kind == "print")


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    return {
        "CLEANCRAWL_RECIPE": "default",
        "CLEANCRAWL_MIN_WORDS": 30,
        "CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'store.db'}",
        "CLEANCRAWL_DUPLICATES": "keep",
        # What is known when depends on the order of the pages: the same in every run.
        "CONCURRENT_REQUESTS": 1,
    }


@pytest.fixture
def texts(crawl: Crawl, site: SampleSite, settings: dict[str, object]) -> dict[str, str]:
    """By path: the text of each page of portal A after a crawl."""
    crawled = crawl(NewsSpider, settings, sites=site.a)
    return {item.url.removeprefix(site.a): item.text for item in crawled.items}


@pytest.fixture
def known(texts: dict[str, str], settings: dict[str, object]) -> Store:
    return open_store(str(settings["CLEANCRAWL_STORE"]))


def name(site: SampleSite) -> str:
    return site.a.removeprefix("http://")


def test_what_every_page_has_is_noise(known: Store, texts: dict[str, str], site: SampleSite) -> None:
    noisy = [block for block in known.blocks(name(site), 20) if len(block.text.split()) > 8]
    assert noisy[0].pages > known.site_pages(name(site)) / 2
    sure = [block.text for block in noisy if block.pages > known.site_pages(name(site)) / 2]
    # A headline that all pages link to is no noise on its own page.
    sure = [text for text in sure if text not in {page.title for page in article_pages("a")}]
    assert sure
    assert not [(path, noise) for path, text in texts.items() for noise in sure if noise in text]
    known.close()


def test_a_quote_in_three_stories_is_none(texts: dict[str, str]) -> None:
    quoting = [page.path for page in article_pages() if QUOTE in page.gold_text]
    assert len(quoting) == 3
    for path in quoting:
        assert QUOTE in texts[path]


def test_an_article_does_not_erase_itself_under_another_url(texts: dict[str, str], site: SampleSite) -> None:
    original = next(page for page in article_pages() if page.gold_text == PRINT.gold_text)
    for path in (original.path, PRINT.path):
        assert word_score(tokens(texts[path]), tokens(PRINT.gold_text)).recall > 0.97


@pytest.mark.parametrize("min_pages", [1, 2])
def test_nor_under_three_more(
    min_pages: int, crawl: Crawl, site: SampleSite, settings: dict[str, object], texts: dict[str, str]
) -> None:
    original = next(page for page in article_pages() if page.gold_text == PRINT.gold_text)
    urls = [f"{site.a}{original.path}?{query}" for query in ("utm_source=feed", "utm_source=mail", "ref=front")]
    strict = {**settings, "CLEANCRAWL_MIN_PAGES": min_pages, "CLEANCRAWL_MIN_SHARE": 0}
    crawled = crawl(PagesSpider, strict, urls=" ".join(urls))
    assert len(crawled.items) == 3
    for item in crawled.items:
        assert word_score(tokens(item.text), tokens(PRINT.gold_text)).recall > 0.97


def test_a_crawl_again_counts_nothing_twice(
    crawl: Crawl, known: Store, site: SampleSite, settings: dict[str, object]
) -> None:
    def counts() -> Counter[tuple[str, int]]:
        # The live page has new lines each time; they are on that page alone.
        return Counter((block.text, block.pages) for block in known.blocks(name(site), 100_000) if block.pages > 1)

    before, pages_before = counts(), known.site_pages(name(site))
    crawl(NewsSpider, settings, sites=site.a)
    assert known.site_pages(name(site)) == pages_before
    assert counts() == before
    known.close()


def test_a_live_page_is_one_page(crawl: Crawl, known: Store, site: SampleSite, settings: dict[str, object]) -> None:
    live = next(page.path for page in pages() if (page.portal, page.kind) == ("a", "live"))
    before = known.site_pages(name(site))
    for minute in range(3):
        crawl(PagesSpider, settings, urls=site.a + live)
        site.change(
            "a", live, f"Update {minute}: the storm has reached the outer islands and the ferries stay in port."
        )
    assert known.site_pages(name(site)) == before
    updates = [block.pages for block in known.blocks(name(site), 100_000) if block.text.startswith("Update")]
    assert set(updates) <= {1}
    known.close()
