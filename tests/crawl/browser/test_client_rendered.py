"""A site that shows nothing without its scripts, crawled with and without a real browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.core.text.words import words
from cleancrawl.crawl.browser.site_verdicts import NOTE
from cleancrawl.crawl.config import Config
from cleancrawl.lab.bench.metrics import word_score
from cleancrawl.stores.opening import open_store
from spiders.archive import ArchiveSpider
from spiders.news import NewsSpider
from spiders.pages import PagesSpider
from tests.crawl.browser.real_browser import AUTO, browser_processes, needs_browser
from tests.crawl.test_sample_site import REAL
from tests.crawling import Crawl
from tests.site.client_rendered import BROKEN, EMBEDDED, STORIES, ClientRendered, client_rendered, path_of
from tests.site.source import gold_text

TOLD = [story for story in STORIES if story.name != BROKEN]


@pytest.fixture
def wire() -> Iterator[ClientRendered]:
    with client_rendered() as site:
        yield site


def test_without_a_browser_it_says_what_is_missing(crawl: Crawl, wire: ClientRendered) -> None:
    crawled = crawl(NewsSpider, REAL, sites=wire.url)
    assert crawled.items == []
    assert crawled.counted("dropped/") == {"needs-browser": 1}


@needs_browser
def test_with_a_browser_every_story_comes_home_and_the_site_is_remembered(
    crawl: Crawl, wire: ClientRendered, tmp_path: Path
) -> None:
    settings = {**AUTO, "CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'sites.db'}"}
    crawled = crawl(NewsSpider, settings, sites=wire.url)
    found = {item.url.removeprefix(wire.url): item for item in crawled.items}
    assert set(found) == {path_of(story) for story in TOLD}
    for story in TOLD:
        item = found[path_of(story)]
        assert word_score(words(item.text), words(gold_text(story))).f1 >= 0.95, story.name
        # What lies over the page is none of its text.
        assert "812 partners" not in item.text
        assert "three free stories" not in item.text
        assert (item.title, item.rendered) == (story.title, story.name != EMBEDDED)
    assert crawled.counted("dropped/")["needs-browser"] == 1
    assert crawled.counted("browser/")["in-vain"] == 1
    asked = Counter(wire.log)
    assert "/imprint" not in asked  # robots.txt
    assert "/picture.jpg" not in asked
    assert f"/api{path_of(next(story for story in STORIES if story.name == EMBEDDED))}.json" not in asked
    assert asked["/"] == 2  # once as it is, once by the browser
    wire.log.clear()
    again = crawl(
        NewsSpider,
        {**settings, "CLEANCRAWL_ONLY_NEW": True, "CLEANCRAWL_REVISIT_HOURS": 0},
        sites=wire.url,
        max_pages="3",
    )
    assert again.counted("dropped/")["unchanged"] == 2
    assert Counter(wire.log)["/"] == 1  # by the browser at once
    store = open_store(settings["CLEANCRAWL_STORE"])
    assert json.loads(store.note(Config().site_of(wire.url), NOTE) or "")["helped"] == len(TOLD) + 3
    store.close()


@needs_browser
def test_a_browser_that_dies_costs_its_pages_another_try(crawl: Crawl, wire: ClientRendered) -> None:
    class Deadly(dict[str, Any]):
        """Kills the browser as soon as it asks for a story's text, once."""

        killed = False

        def get(self, path: str, default: Any = None) -> Any:
            if path.startswith("/api/news/") and not self.killed:
                self.killed = True
                for process in browser_processes():
                    os.kill(process, signal.SIGKILL)
            return super().get(path, default)

    wire.paths = Deadly(wire.paths)
    urls = [wire.url + path_of(story) for story in TOLD[-2:]]
    crawled = crawl(PagesSpider, {**AUTO, "RETRY_ENABLED": True}, urls=" ".join(urls))
    assert wire.paths.killed
    assert {item.url for item in crawled.items} == set(urls)
    assert crawled.stats["playwright/browser_count"] == 2
    assert not browser_processes()


@needs_browser
def test_what_a_browser_made_is_kept_raw_and_gives_the_same_article_again(
    crawl: Crawl, wire: ClientRendered, tmp_path: Path
) -> None:
    url = wire.url + path_of(TOLD[-1])
    crawled = crawl(PagesSpider, {**AUTO, "CLEANCRAWL_WARC": str(tmp_path / "warc")}, urls=url)
    assert crawled.counted("warc/")["resource"] == 1
    (path,) = (tmp_path / "warc").iterdir()
    checked = subprocess.run([sys.executable, "-m", "warcio.cli", "check", str(path)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    again = crawl(ArchiveSpider, REAL, source=str(tmp_path / "warc"))
    assert again.counted("dropped/") == {"needs-browser": 1}  # the shell, as it came first
    ((one,), (other,)) = (crawled.items, again.items)
    assert (other.url, other.title, other.text) == (one.url, one.title, one.text)
    assert other.fetched_at[:16] == one.fetched_at[:16]


@needs_browser
def test_from_the_command_line(wire: ClientRendered, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cleancrawl", "crawl", wire.url, "--browser", "auto", "--max-pages", "4"]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [*command, "-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    articles = [json.loads(line) for line in (tmp_path / "corpus.jsonl").read_text("utf-8").splitlines()]
    assert any(article["rendered"] for article in articles)
    assert "rendered        " in done.stdout
