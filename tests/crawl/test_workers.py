from __future__ import annotations

import pytest

from cleancrawl.crawl.config import Config
from cleancrawl.errors import ConfigError
from spiders.news import NewsSpider
from tests.crawling import Crawl
from tests.site.server import SampleSite


def test_every_site_is_crawled_by_one_worker(crawl: Crawl, site: SampleSite) -> None:
    for number in (1, 2, 3):
        settings = {"CLEANCRAWL_WORKER": f"{number}/3", "CLEANCRAWL_MIN_WORDS": 30}
        crawl(NewsSpider, settings, sites=" ".join(site.urls), max_pages="1")
    fronts = [entry.portal for entry in site.requests(path="/")]
    assert sorted(fronts) == ["a", "b"]


@pytest.mark.parametrize("value", ["", "2", "0/2", "3/2", "a/b"])
def test_workers_that_do_not_exist(value: str) -> None:
    with pytest.raises(ConfigError, match="such as '2/4'"):
        Config.from_settings({"CLEANCRAWL_WORKER": value})
