from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.lab.bench.metrics import tokens, word_score
from cleancrawl.stores.earlier_versions import earlier_versions
from cleancrawl.stores.opening import open_store
from spiders.news import NewsSpider
from tests.crawl.test_sample_site import REAL
from tests.crawling import Crawl, Crawled
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'harvest.db'}"


@pytest.fixture
def harvest(crawl: Crawl, site: SampleSite, store_url: str) -> Any:
    def run(settings: dict[str, Any] | None = None, **arguments: str) -> Crawled:
        site.log.clear()
        chosen = {**REAL, "CLEANCRAWL_ONLY_NEW": True, "CLEANCRAWL_STORE": store_url, **(settings or {})}
        return crawl(NewsSpider, chosen, sites=site.a, **arguments)

    return run


def downloads(site: SampleSite) -> set[str]:
    """Articles whose text was sent."""
    paths = {page.path for page in article_pages("a")}
    return {entry.path for entry in site.log if entry.status == 200 and entry.path in paths}


def test_a_second_run_on_an_unchanged_site_downloads_no_article_and_gives_nothing(
    harvest: Any, site: SampleSite
) -> None:
    first = harvest()
    assert len(first.items) >= len(article_pages("a"))
    assert downloads(site) == {page.path for page in article_pages("a")}
    second = harvest()
    assert (second.items, downloads(site)) == ([], set())
    assert second.counted("revisit/")["not-due"] >= len(article_pages("a"))


def test_what_is_due_is_asked_for_on_condition_and_a_change_gives_a_new_version(
    harvest: Any, site: SampleSite, store_url: str
) -> None:
    harvest()
    changed, gone = (page.path for page in article_pages("a")[:2])
    site.change("a", changed, "The council has added that the work will take until the end of the summer.")
    site.gone("a", gone)
    again = harvest({"CLEANCRAWL_REVISIT_HOURS": 0}, discover="links")
    assert [(item.url, item.version) for item in again.items] == [(site.a + changed, 2)]
    assert "until the end of the summer" in again.items[0].text
    assert again.items[0].previous
    assert downloads(site) == {changed}
    assert again.counted("revisit/")["unchanged"] > 0
    store = open_store(store_url)
    states = store.page_states([site.a + gone, site.a + changed])
    assert (states[site.a + gone].status, states[site.a + gone].reason) == (410, "gone")
    assert states[site.a + changed].version == 2
    (earlier,) = earlier_versions(store, states[site.a + changed].site, site.a + changed)
    assert (earlier.version, earlier.title) == (1, again.items[0].title)
    assert "until the end of the summer" not in earlier.text
    store.close()


def test_after_a_run_that_was_cut_short_its_links_are_followed(harvest: Any, site: SampleSite) -> None:
    whole = harvest({"CLEANCRAWL_STORE": "memory:"}, discover="links")
    cut = harvest({"CLOSESPIDER_PAGECOUNT": 4}, discover="links")
    assert cut.stats["finish_reason"] == "closespider_pagecount"
    rest = harvest(discover="links")
    assert sorted(item.url for item in cut.items + rest.items) == sorted(item.url for item in whole.items)


def test_the_mark_of_a_run_that_was_cut_short_belongs_to_its_site(
    crawl: Crawl, harvest: Any, site: SampleSite, store_url: str
) -> None:
    """A run of other sites does not clear it, and whoever crawls the site next makes up for it, beside others."""
    settings = {**REAL, "CLEANCRAWL_ONLY_NEW": True, "CLEANCRAWL_STORE": store_url}
    whole = harvest({"CLEANCRAWL_STORE": "memory:"}, discover="links")
    cut = harvest({"CLOSESPIDER_PAGECOUNT": 4}, discover="links")
    other = crawl(NewsSpider, settings, sites=site.b, discover="links")
    assert other.stats["finish_reason"] == "finished"
    both = crawl(NewsSpider, settings, sites=f"{site.b} {site.a}", discover="links")
    found = [item.url for item in cut.items + both.items if item.url.startswith(site.a)]
    assert len(found) > len(cut.items)
    assert sorted(found) == sorted(item.url for item in whole.items)
    # That run was whole: the next one has nothing to make up for.
    site.log.clear()
    assert crawl(NewsSpider, settings, sites=f"{site.b} {site.a}", discover="links").items == []
    assert not downloads(site)


def corpus(store_url: str) -> dict[str, str]:
    """The text of each article, all of them in their first version."""
    store = open_store(store_url)
    # The live page has an entry more at each visit: it is never the same in two crawls.
    entries = [entry for entry in store.articles(limit=1000) if "/live/" not in entry.url]
    assert {entry.version for entry in entries} == {1}
    assert store.holds() == {}
    found = {entry.url: entry.article["text"] for entry in entries if entry.article}
    store.close()
    return found


def start(site: SampleSite, store_url: str, warmup_pages: int = 5) -> subprocess.Popen[bytes]:
    settings = {
        "CLEANCRAWL_STORE": store_url,
        "CLEANCRAWL_WARMUP_PAGES": warmup_pages,
        "DOWNLOAD_DELAY": "0",
        "AUTOTHROTTLE_ENABLED": "0",
        "RETRY_TIMES": "0",
        "LOG_LEVEL": "CRITICAL",
        "FEEDS": "{}",
    }
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", f"sites={site.a}", *options]
    environment = {**os.environ, "SCRAPY_PROJECT": "harvest", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def disturb(site: SampleSite, process: subprocess.Popen[bytes], moment: int, how: signal.Signals) -> None:
    """Send a signal after so many requests."""
    # The server may still be answering a killed process; a crawl of its own begins with robots.txt.
    while process.poll() is None and not (len(site.log) >= moment and site.requests("a", "/robots.txt")):
        time.sleep(0.005)
    process.send_signal(how)
    assert process.wait() == (-signal.SIGKILL if how == signal.SIGKILL else 0)
    site.log.clear()


def test_killed_at_any_moment_the_same_command_again_ends_with_the_same_corpus(
    site: SampleSite, tmp_path: Path
) -> None:
    # All pages wait for the whole site: else two crawls that nobody disturbs may differ by a line that few pages have,
    # whichever of them come first.
    undisturbed, killed = f"sqlite:///{tmp_path / 'one.db'}", f"sqlite:///{tmp_path / 'two.db'}"
    assert start(site, undisturbed, 1000).wait() == 0
    requests = len(site.log)
    site.log.clear()
    for moment in (requests // 4, 3 * requests // 4):
        disturb(site, start(site, killed, 1000), moment, signal.SIGKILL)
    assert start(site, killed, 1000).wait() == 0
    assert len(corpus(undisturbed)) >= len(article_pages("a"))
    assert corpus(killed) == corpus(undisturbed)


def test_stopped_and_run_twice_at_the_same_time_no_article_is_missing(site: SampleSite, tmp_path: Path) -> None:
    undisturbed, disturbed = f"sqlite:///{tmp_path / 'one.db'}", f"sqlite:///{tmp_path / 'two.db'}"
    assert start(site, undisturbed).wait() == 0
    site.log.clear()
    disturb(site, start(site, disturbed), 16, signal.SIGINT)
    together = [start(site, disturbed), start(site, disturbed)]
    assert [process.wait() for process in together] == [0, 0]
    expected, found = corpus(undisturbed), corpus(disturbed)
    assert found.keys() == expected.keys()
    # A stop finishes the pages that wait with what is known of the site by then: a line of its noise may stay, or one
    # go that related articles share.
    for page in article_pages("a"):
        score = word_score(tokens(found[site.a + page.path]), tokens(page.gold_text))
        assert score.recall > 0.9, page.path
        assert score.f1 > 0.85, page.path
