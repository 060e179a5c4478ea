"""A site that gets a new design between two harvests: the new one is known within the warm-up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.crawl.config import Config
from spiders.pages import PagesSpider
from tests.crawling import Crawl
from tests.site import portal_b
from tests.site.manifest import Entry, article_pages
from tests.site.resource import page
from tests.site.server import SampleSite

PAGES = [entry for entry in article_pages("a") if entry.language == "en"]
WARM_UP = Config().warmup_pages
FRAME = "Pharmacies on duty"
"""A line that every page of the new design has."""


@pytest.fixture
def site() -> Iterator[SampleSite]:
    """One of its own: what is redesigned stays so."""
    with SampleSite(slow=0.0, crawl_delay=0.0) as served:
        yield served


def redesign(site: SampleSite) -> None:
    """Portal A's articles in portal B's design, under their old addresses."""
    for entry in PAGES:
        assert entry.source is not None
        moved = replace(entry.source, section="city")
        site.portals["a"].resources[entry.path] = page(partial(portal_b.article_page, moved))


def harvest(crawl: Crawl, site: SampleSite, pages: list[Entry], store: Path, **settings: Any) -> list[str]:
    """The texts of the pages in the order in which they came."""
    fixed = {"CLEANCRAWL_STORE": f"sqlite:///{store}", "CLEANCRAWL_MIN_WORDS": 1, "CONCURRENT_REQUESTS": 1}
    crawled = crawl(PagesSpider, {**fixed, **settings}, urls=",".join(site.a + entry.path for entry in pages))
    assert crawled.stats.get("log_count/ERROR", 0) == 0
    assert len(crawled.items) == len(pages)
    return [item.text for item in crawled.items]


def test_templates_follow(crawl: Crawl, site: SampleSite, tmp_path: Path) -> None:
    recipe = {"CLEANCRAWL_RECIPE": "site-template", "CLEANCRAWL_ONLY_ARTICLES": False}
    harvest(crawl, site, PAGES, tmp_path / "store.db", **recipe)
    redesign(site)
    framed = [FRAME in text for text in harvest(crawl, site, PAGES, tmp_path / "store.db", **recipe)]
    assert framed[0], "nothing is known of the first page's design"
    assert not any(framed[WARM_UP - 1 :])


def test_the_default_recipe_is_not_misled_by_what_it_knew(crawl: Crawl, site: SampleSite, tmp_path: Path) -> None:
    harvest(crawl, site, PAGES, tmp_path / "store.db")
    redesign(site)
    after = harvest(crawl, site, PAGES, tmp_path / "store.db")
    fresh = harvest(crawl, site, PAGES, tmp_path / "fresh.db")
    assert sorted(after) == sorted(fresh)
