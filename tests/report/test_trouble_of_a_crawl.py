"""From real crawls to what the report says: a site that changed between two runs, and one that did not."""

from __future__ import annotations

from pathlib import Path

from cleancrawl import open_store
from cleancrawl.report.harvest_report import gather
from cleancrawl.spiders.pages import PagesSpider
from tests.crawling import Crawl, LittleServer

LEAK = "Sign in to leave a comment and to see what forty other readers think of it."


def page(number: int, *, broken: bool) -> str:
    words = " ".join(f"word{number}x{place}" for place in range(120))
    date = "" if broken else '<meta property="article:published_time" content="2026-03-01T10:00:00Z">'
    leak = f" {LEAK}" if broken else ""
    return f"<title>Story {number}</title>{date}<p>Something happened at place {number}, {words}.{leak}</p>"


def test_what_broke_between_two_crawls_is_named(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    for run in range(2):
        urls = [
            site.page(f"/{number}", page(number, broken=run == 1 and site is server))
            for site in (server, other_server)
            for number in range(run * 20, run * 20 + 20)
        ]
        crawl(PagesSpider, {"CLEANCRAWL_STORE": url, "CLEANCRAWL_DUPLICATES": "keep"}, urls=" ".join(urls))
    store = open_store(url)
    harvest = gather(store)
    store.close()
    assert len(harvest.runs) == 2
    assert {site.tally.articles for site in harvest.sites} == {40}
    broken = server.url.removeprefix("http://")
    assert {(one.site, one.kind) for one in harvest.findings} == {(broken, "undated"), (broken, "leaks")}
    assert LEAK in next(one.evidence for one in harvest.findings if one.kind == "leaks")
