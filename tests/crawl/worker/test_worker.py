"""A crawl that takes its sites from the store's list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.lab.chaos.farm_settings import LeaseHeader
from cleancrawl.lab.chaos.news_farm import Farm
from cleancrawl.stores.listed_sites import ListedSite
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store
from spiders.news import NewsSpider
from tests.crawling import Crawl

SETTINGS: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {LeaseHeader: 990},
    "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs_of_a_site",
    "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
    "ROBOTSTXT_OBEY": True,
}


@pytest.fixture
def farm() -> Iterator[Farm]:
    with Farm([3, 7, 12], addresses=True) as served:
        yield served


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


def list_all(store: Store, farm: Farm, **options: str) -> None:
    for host in farm.sizes:
        store.list_site(ListedSite(f"{host}:{farm.port}", (farm.url(host),), options, 3600.0))


def test_the_sites_of_the_list_are_crawled(crawl: Crawl, farm: Farm, store: Store, url: str) -> None:
    list_all(store, farm)
    crawled = crawl(NewsSpider, {**SETTINGS, "CLEANCRAWL_STORE": url}, sites="queue", once="1", discover="links")
    assert crawled.stats["finish_reason"] == "finished"
    assert {item.url for item in crawled.items} == farm.article_urls()
    assert len(crawled.items) == len(farm.article_urls())
    for site in store.listed_sites():
        assert (site.state, site.outcome) == ("waiting", "finished")
        assert site.articles == farm.sizes[site.name.partition(":")[0]]
        assert site.due == pytest.approx(site.ended + 3600.0, abs=60.0)
    assert crawled.counted("sites/") == {"taken": 3, "finished": 3}
