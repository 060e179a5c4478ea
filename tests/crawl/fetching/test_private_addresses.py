from __future__ import annotations

import pytest

from spiders.news import NewsSpider
from tests.crawl.cleaning.test_cleaning import STORY, ListSpider
from tests.crawling import Answer, Crawl, LittleServer


def test_a_redirect_into_the_intranet_is_refused(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = other_server.page("/secret", STORY)
    by_name = secret.replace("127.0.0.1", "localhost")
    urls = [
        server.page("/a", "", status=302, headers={"Location": secret}),
        server.page("/b", "", status=302, headers={"Location": by_name}),
        server.page("/c", "", status=302, headers={"Location": secret.replace("127.0.0.1", "2130706433")}),
    ]
    crawled = crawl(ListSpider, {"CLEANCRAWL_SUMMARY": "-"}, urls=urls)
    assert (crawled.items, other_server.requests) == ([], [])
    assert crawled.counted("outcome/") == {"private-address": 3}
    assert "refused: a private address" in capsys.readouterr().out


def test_it_is_said_once_per_host_with_the_setting_that_allows_it(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, caplog: pytest.LogCaptureFixture
) -> None:
    targets = [other_server.page(f"/{number}", STORY) for number in range(3)]
    targets += [target.replace("127.0.0.1", "localhost") for target in targets]
    urls = [
        server.page(f"/go/{number}", "", status=302, headers={"Location": target})
        for number, target in enumerate(targets)
    ]
    crawl(ListSpider, urls=urls)
    said = [record for record in caplog.records if "private address" in record.getMessage() and record.levelno >= 30]
    port = other_server.url.rpartition(":")[2]
    refused = "is a private address and not crawled; give it as a site, or set CLEANCRAWL_ALLOW_PRIVATE_HOSTS = True"
    assert sorted(record.getMessage() for record in said) == [
        f"cleancrawl: {host}:{port} {refused}" for host in ("127.0.0.1", "localhost")
    ]


def test_a_setting_allows_it(crawl: Crawl, server: LittleServer, other_server: LittleServer) -> None:
    url = server.page("/a", "", status=302, headers={"Location": other_server.page("/story", STORY)})
    crawled = crawl(ListSpider, {"CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True}, urls=[url])
    assert [item.url for item in crawled.items] == [f"{other_server.url}/story"]


def test_through_a_proxy_only_literal_addresses_are_judged(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = other_server.page("/secret-story-of-the-intranet", STORY)
    # The little server is the proxy: it is asked for whole URLs, of a host that has no address at all.
    site = "http://news.cleancrawl-test.com"
    front = f"<a href='/the-storm-at-the-coast'>story</a><a href='{secret}'>secret</a><a href='/go'>more</a>"
    server.answers[f"{site}/"] = Answer(front.encode())
    server.answers[f"{site}/go"] = Answer(status=302, headers={"Location": secret})
    server.answers[f"{site}/the-storm-at-the-coast"] = Answer(STORY.encode())
    monkeypatch.setenv("http_proxy", server.url)
    crawled = crawl(NewsSpider, {"ROBOTSTXT_OBEY": True}, sites=site, discover="links")
    assert [item.url for item in crawled.items] == [f"{site}/the-storm-at-the-coast"]
    assert other_server.requests == []
