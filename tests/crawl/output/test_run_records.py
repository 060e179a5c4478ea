"""What a run counts is in the store when it ends, while it runs, and when it never ends."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from cleancrawl import open_store
from cleancrawl.crawl import run_ledger
from cleancrawl.crawl.output import run_records
from cleancrawl.crawl.output.run_records import RunRecordsExtension
from cleancrawl.crawl.run_ledger import RunLedger
from cleancrawl.report.run_history import SiteHistory, histories
from cleancrawl.spiders.news import NewsSpider
from cleancrawl.spiders.pages import PagesSpider
from cleancrawl.stores.protocol import Store, Visit
from tests.crawling import Crawl
from tests.site.server import SampleSite


def site_rows(store: Store) -> dict[str, SiteHistory]:
    return {part.site: part for part in histories(store) if isinstance(part, SiteHistory)}


def test_a_crawl_leaves_its_counts_and_a_report(crawl: Crawl, site: SampleSite, tmp_path: Path) -> None:
    url, path = f"sqlite:///{tmp_path}/store.db", tmp_path / "out/report.html"
    settings = {"CLEANCRAWL_STORE": url, "CLEANCRAWL_REPORT": str(path), "CLEANCRAWL_ONLY_ARTICLES": True}
    crawled = crawl(NewsSpider, {**settings, "CLEANCRAWL_RECIPE": "default"}, sites=site.a, max_pages=12)
    store = open_store(url)
    runs, *sites = histories(store)
    store.close()
    assert isinstance(runs, list)
    (run,) = runs
    assert run.facts["name"].startswith("news")
    assert run.facts["ended"] == crawled.stats["finish_reason"]
    assert run.facts["articles"] == crawled.stats["cleancrawl/articles"] == len(crawled.items) > 0
    (history,) = [part for part in sites if isinstance(part, SiteHistory)]
    (counted,) = history.runs
    tally = counted.tally
    assert tally.articles == tally.new == len(crawled.items)
    assert tally.words == sum(item.word_count for item in crawled.items)
    assert dict(tally.dropped.counts) == crawled.counted("dropped/")
    assert dict(tally.removed) == crawled.counted("removed/")
    assert tally.pages == tally.articles + sum(tally.dropped.counts.values())
    assert crawled.stats["cleancrawl/report"] == str(path)
    assert re.search(rf"<dd>{len(crawled.items)}</dd>", path.read_text("utf-8"))


def test_failed_requests_are_counted_for_their_site(crawl: Crawl, site: SampleSite, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    crawl(PagesSpider, {"CLEANCRAWL_STORE": url}, urls=f"{site.a}/no-such-page")
    store = open_store(url)
    (history,) = site_rows(store).values()
    store.close()
    assert history.runs[0].tally.errors.to_counts() == {"http-404": [1, f"{site.a}/no-such-page"]}


KILLED = """
import os, sys
from scrapy import Spider, Request
from scrapy.crawler import CrawlerProcess
from cleancrawl.crawl.output import run_records
from cleancrawl.crawl.output.run_records import RunRecordsExtension
run_records.INTERVAL = 0.2
from cleancrawl import open_store

class Slow(Spider):
    name = "slow"
    async def start(self):
        yield Request(sys.argv[1])
        yield Request(sys.argv[1] + "?wait", self.wait, dont_filter=True, meta={"cleancrawl": False})
    async def wait(self, response):
        import asyncio
        while not any(row.site and row.counts.get("articles") for row in STORE.runs()):
            await asyncio.sleep(0.05)
        os._exit(9)
    def parse(self, response):
        pass

STORE = open_store(sys.argv[2])
process = CrawlerProcess({
    "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}, "CLEANCRAWL_STORE": sys.argv[2], "LOG_LEVEL": "ERROR",
    "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs", "CLEANCRAWL_ONLY_ARTICLES": False,
    "CLEANCRAWL_MIN_WORDS": 5, "CLEANCRAWL_WARMUP_PAGES": 0, "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
})
process.crawl(Slow)
process.start()
"""


def test_a_killed_crawl_leaves_what_it_had(site: SampleSite, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    page = site.a + "/science/2026/02/24/seagrass-meadow-returns-to-lunn-sound"
    done = subprocess.run([sys.executable, "-c", KILLED, page, url], timeout=60, check=False)
    assert done.returncode == 9
    store = open_store(url)
    runs, history = histories(store)
    store.close()
    assert isinstance(runs, list)
    assert "ended" not in runs[0].facts
    assert isinstance(history, SiteHistory)
    assert history.runs[0].tally.articles == 1


def test_a_report_needs_its_templates_before_the_crawl(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise run_records.CleanCrawlError("Jinja2 is not installed: pip install 'cleancrawl[report]'")

    monkeypatch.setattr(run_records, "render", missing)
    with pytest.raises(run_records.CleanCrawlError, match="Jinja2 is not installed"):
        crawl(PagesSpider, {"CLEANCRAWL_REPORT": "report.html"}, urls="http://127.0.0.1:9/")


def test_sites_beyond_the_bound_are_let_go_and_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_ledger, "SITES", 2)
    store = open_store("memory:")
    ledger = RunLedger(store, "news", 1000.0)
    for number in range(4):
        for name in ("a.example", "b.example", "c.example"):
            ledger.add(Visit(name, f"https://{name}/{number}", 100.0 + number), {"word_count": 100}, new=True)
    assert len(ledger._tallies) == 2
    ledger.write({})
    found = site_rows(store)
    assert {name: [run.tally.articles for run in part.runs] for name, part in found.items()} == {
        "a.example": [4],
        "b.example": [4],
        "c.example": [4],
    }


def test_a_crawl_that_never_ends_counts_days_as_runs() -> None:
    store, stats = open_store("memory:"), {"cleancrawl/pages": 5, "cleancrawl/articles": 3}
    ledger = RunLedger(store, "news", time.time() - 2 * 86_400)
    session = SimpleNamespace(
        ledger=ledger, broken=False, guarded_store=nullcontext, counts=SimpleNamespace(stats=MemoryStats(stats))
    )
    extension = RunRecordsExtension(session, None)  # type: ignore[arg-type]
    ledger.add(Visit("a.example", "https://a.example/1", 100.0), {"word_count": 100}, new=True)
    extension.write()
    stats["cleancrawl/pages"] = 7
    ledger.add(Visit("a.example", "https://a.example/2", 200.0), {"word_count": 100}, new=True)
    ledger.add(Visit("a.example", "https://a.example/3", 200.0), {"word_count": 100}, new=True)
    extension.write()
    extension.write("finished")
    runs, history = histories(store)
    assert isinstance(runs, list)
    assert isinstance(history, SiteHistory)
    assert [(run.facts["pages"], run.facts["ended"]) for run in runs] == [(5, "goes on"), (2, "finished")]
    assert [run.tally.articles for run in history.runs] == [1, 2]


class MemoryStats:
    def __init__(self, stats: dict[str, int]) -> None:
        self.get_stats = lambda: stats
