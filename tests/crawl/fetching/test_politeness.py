from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from scrapy.http import Response

from cleancrawl.crawl.fetching import politeness
from cleancrawl.crawl.fetching.politeness import retry_after
from tests.crawl.cleaning.test_cleaning import STORY, ListSpider
from tests.crawling import Crawl, LittleServer
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

OBEYING = {"ROBOTSTXT_OBEY": True, "RETRY_ENABLED": True}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits as in real life, only shorter."""
    monkeypatch.setattr(politeness, "FIRST_WAIT", 0.02)


class DelaySpider(ListSpider):
    """Yields the delay that Scrapy keeps between the requests to a site, as it is when a page comes."""

    def parse(self, response: Response) -> Iterator[dict[str, float]]:
        slot = self.crawler.engine.downloader.slots[response.meta["download_slot"]]
        yield {"delay": slot.delay, "jitter": slot.jitter}


@pytest.mark.parametrize(("crawl_delay", "own"), [(0.06, 0.0), (0.06, 0.08)])
def test_crawl_delay_is_kept(crawl_delay: float, own: float, crawl: Crawl, server: LittleServer) -> None:
    server.page("/robots.txt", f"User-agent: *\nCrawl-delay: {crawl_delay}", kind="text/plain")
    urls = [server.page(f"/{number}", STORY) for number in range(4)]
    crawled = crawl(DelaySpider, {**OBEYING, "DOWNLOAD_DELAY": own}, urls=urls)
    delays = [item for item in crawled.items if isinstance(item, dict)]
    assert delays == [{"delay": max(crawl_delay, own), "jitter": 0.0}] * 4


def test_retry_after_stops_the_whole_site_for_a_while(crawl: Crawl, site: SampleSite) -> None:
    first, second = (page.path for page in article_pages("a")[:2])
    site.fail("a", first, 429, retry_after="1", times=1)
    crawled = crawl(ListSpider, {**OBEYING, "CONCURRENT_REQUESTS": 1}, urls=[site.a + first, site.a + second])
    assert crawled.counted("articles") == {"": 2}
    refused = site.requests(path=first)[0]
    assert all(entry.at - refused.at >= 0.9 for entry in site.log if entry.at > refused.at)


def test_a_site_that_is_busy_for_long_is_left_for_later(
    crawl: Crawl, server: LittleServer, caplog: pytest.LogCaptureFixture
) -> None:
    urls = [server.page("/busy", "", status=503, headers={"Retry-After": "3600"}), server.page("/storm", STORY)]
    with caplog.at_level(logging.WARNING):
        crawled = crawl(ListSpider, {**OBEYING, "CONCURRENT_REQUESTS": 1}, urls=urls)
    assert crawled.items == []
    assert crawled.counted("outcome/")["left-for-later"] == 1
    assert "is left for the next crawl (HTTP 503)" in caplog.text
    assert [path for path, _ in server.requests] == ["/robots.txt", "/busy"]


def test_a_site_that_does_not_answer_is_left_for_later(crawl: Crawl) -> None:
    urls = [f"http://127.0.0.1:9/{number}" for number in range(20)]
    crawled = crawl(ListSpider, {"CONCURRENT_REQUESTS": 1}, urls=urls)
    assert crawled.counted("outcome/") == {"left-for-later": 1, "DownloadConnectionRefusedError": 6}


def test_retries_wait_a_little_longer_each_time(crawl: Crawl, site: SampleSite) -> None:
    path = article_pages("a")[0].path
    site.fail("a", path, 500, times=2)
    crawled = crawl(ListSpider, OBEYING, urls=[site.a + path])
    assert crawled.counted("articles") == {"": 1}
    assert len(site.requests(path=path)) == 3


def test_the_user_agent_says_who_can_be_asked(crawl: Crawl, server: LittleServer) -> None:
    settings = {"CLEANCRAWL_CONTACT": "https://a.example/crawler", "USER_AGENT": "ours/1.0"}
    crawl(ListSpider, settings, urls=[server.page("/storm", STORY)])
    assert [headers["User-Agent"] for _, headers in server.requests] == ["ours/1.0 (+https://a.example/crawler)"]


def test_retry_after_can_be_a_date() -> None:
    value = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    seconds = retry_after(Response("https://a.example/", headers={"Retry-After": value}))
    assert seconds is not None
    assert 80 < seconds <= 90
