from __future__ import annotations

import asyncio

import pytest
from scrapy.crawler import Crawler

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


def started(loop: asyncio.AbstractEventLoop, number: int, sites: str, site_key: str) -> list[str]:
    """The front pages that one of three workers begins with."""
    settings = {"CLEANCRAWL_WORKER": f"{number}/3", "CLEANCRAWL_SITE_KEY": site_key}
    spider = NewsSpider.from_crawler(Crawler(NewsSpider, settings), sites=sites, discover="links")

    async def collect() -> list[str]:
        return [request.url async for request in spider.start()]

    return loop.run_until_complete(collect())


@pytest.mark.parametrize("site_key", ["domain", "host"])
def test_the_hosts_of_a_domain_are_crawled_by_one_worker(site_key: str, loop: asyncio.AbstractEventLoop) -> None:
    """A crawl goes over all hosts of a domain, whatever a site is for the store: two workers would meet."""
    hosts = [f"https://{name}.a-site.com/" for name in ("www", "sport", "blog", "city", "culture", "archive")]
    shares = [started(loop, number, " ".join(hosts), site_key) for number in (1, 2, 3)]
    assert sorted(shares, key=len) == [[], [], hosts]


@pytest.mark.parametrize("value", ["", "2", "0/2", "3/2", "a/b"])
def test_workers_that_do_not_exist(value: str) -> None:
    with pytest.raises(ConfigError, match="such as '2/4'"):
        Config.from_settings({"CLEANCRAWL_WORKER": value})
