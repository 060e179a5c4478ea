"""Exit codes, as cron and Scrapyd see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cleancrawl.crawl.output.failure import FAILURE, failure_of
from cleancrawl.errors import StoreError
from cleancrawl.stores.memory.memory_store import MemoryStore
from cleancrawl.stores.protocol import Limits, PageRecord, Recorded
from spiders.archive import ArchiveSpider
from tests.crawl.cleaning.test_cleaning import ListSpider
from tests.crawl.scrapy_project import STORY, make_project
from tests.crawling import Crawl, LittleServer


class FullStore(MemoryStore):
    def record(self, record: PageRecord) -> Recorded:
        raise StoreError("store full.db: database or disk is full")


def open_full(url: str, limits: Limits) -> FullStore:
    return FullStore(limits)


FAILED = "cleancrawl: the crawl failed: "


@pytest.mark.parametrize(
    ("path", "options", "code", "line"),
    [
        ("/storm", (), 0, None),
        ("/none", (), 1, FAILED + "nothing could be read: http-404 1"),
        ("/paper.pdf", (), 1, FAILED + "nothing could be read: not-html 1"),
        ("/explode", (), 1, FAILED + "all pages failed: "),
        ("/storm", ("-s", f"CLEANCRAWL_STORE={__name__}.open_full:"), 1, FAILED + "the store failed"),
    ],
)
def test_the_scrapy_command_exits_with_what_became_of_the_crawl(
    path: str, options: tuple[str, ...], code: int, line: str | None, tmp_path: Path, server: LittleServer
) -> None:
    project = make_project(tmp_path)
    server.page("/storm", STORY)
    server.page("/explode", f"<p>explode</p>{STORY}")
    server.page("/paper.pdf", b"%PDF", kind="application/pdf")
    done = project.scrapy("crawl", "pages", "-a", f"urls={server.url}{path}", *options)
    assert done.returncode == code, done.stderr
    told = [text for text in done.stderr.splitlines() if FAILED in text]
    assert len(told) == (line is not None)
    assert line is None or line in told[0]


def test_an_unreachable_site_is_a_failure(tmp_path: Path) -> None:
    done = make_project(tmp_path).scrapy("crawl", "news", "-a", "sites=http://127.0.0.1:9/", "-a", "discover=links")
    assert done.returncode == 1
    assert FAILED + "nothing could be read: DownloadConnectionRefusedError 1" in done.stderr


@pytest.mark.parametrize(
    ("stats", "words"),
    [
        ({}, None),
        ({"cleancrawl/pages": 4, "cleancrawl/dropped/listing": 4, "cleancrawl/outcome/http-500": 90}, None),
        ({"cleancrawl/outcome/http-404": 3, "cleancrawl/revisit/unchanged": 1}, None),
        ({"cleancrawl/skipped/not-html": 3, "item_scraped_count": 3}, None),
        ({"finish_reason": "shutdown", "cleancrawl/pages": 1}, None),
        ({"finish_reason": "closespider_timeout", "cleancrawl/pages": 1}, None),
        ({"finish_reason": "closespider_errorcount", "cleancrawl/pages": 1}, "too many errors"),
        ({"cleancrawl/pages": 2, "cleancrawl/failed/score": 2}, "all pages failed: score 2"),
        ({"cleancrawl/pages": 2, "cleancrawl/failed/score": 1}, None),
        ({"cleancrawl/outcome/robots.txt": 1}, "nothing could be read: robots.txt 1"),
        ({"item_scraped_count": 3, "feedexport/failed_count/S3FeedStorage": 1}, "1 feeds could not be stored"),
        ({"item_scraped_count": 3, "cleancrawl/archive/broken": 1}, "could not be read whole: broken 1"),
    ],
)
def test_what_counts_as_failed(stats: dict[str, Any], words: str | None) -> None:
    failure = failure_of(stats)
    assert (failure is None) == (words is None)
    assert words is None or words in str(failure)


def test_scripts_find_it_among_the_statistics(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    assert FAILURE not in crawl(ListSpider, urls=[server.page("/storm", STORY)]).stats
    assert crawl(ListSpider, urls=[server.url + "/none"]).stats[FAILURE] == "nothing could be read: http-404 1"
    empty = crawl(ArchiveSpider, source=str(tmp_path))
    assert empty.stats[FAILURE] == "the archive could not be read whole: empty 1"
