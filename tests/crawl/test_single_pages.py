"""``scrapy shell`` and ``scrapy parse`` in a project with the add-on, as real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings

from cleancrawl.crawl.addon import CleanCrawlAddon
from tests.crawling import LittleServer

STORY = "".join(
    f"<p>The storm of day {day} hit the northern coast, and nobody was hurt, the mayor told reporters.</p>"
    for day in range(9)
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = own\n")
    (tmp_path / "own.py").write_text(
        "SPIDER_MODULES = ['cleancrawl.spiders']\n"
        "ADDONS = {'cleancrawl.crawl.addon.CleanCrawlAddon': 500}\n"
        "CLEANCRAWL_ONLY_NEW = True\n"
        # A page of nine lines, all alike, looks like no article.
        "CLEANCRAWL_ONLY_ARTICLES = False\n"
        "FEEDS = {'corpus.jsonl': {'format': 'jsonlines', 'overwrite': True}}\n"
        "TELNETCONSOLE_ENABLED = False\n"
    )
    (tmp_path / "corpus.jsonl").write_text("what a crawl has written\n")
    return tmp_path


def scrapy(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    # A shell that hangs is what this is about: it is given up here.
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


def untouched(project: Path) -> bool:
    """A look at a page leaves nothing behind: no store, no feed."""
    return not list(project.glob("*.db*")) and (project / "corpus.jsonl").read_text() == "what a crawl has written\n"


@pytest.mark.parametrize("options", [(), ("--spider=news",)])
def test_the_shell_fetches_again_and_again(options: tuple[str, ...], project: Path, server: LittleServer) -> None:
    story = server.page("/storm", f"<title>Storm</title>{STORY}")
    other = server.page("/other", f"<title>Other</title>{STORY}")
    # What is printed is evaluated before the shell knows of the last response.
    code = f"[fetch({story!r}), fetch({other!r}), fetch({story!r})]"
    done = scrapy("shell", *options, other, "-c", code, cwd=project)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[None, None, None]"
    assert [path for path, _ in server.requests if path != "/robots.txt"] == ["/other", "/storm", "/other", "/storm"]
    assert "Traceback" not in done.stderr
    assert untouched(project)


@pytest.mark.parametrize("spider", ["pages", "news"])
def test_parse_shows_the_article(spider: str, project: Path, server: LittleServer) -> None:
    url = server.page("/2026/03/14/storm-hits-coast", f"<title>Storm</title><a href='/next'>Next story</a>{STORY}")
    done = scrapy("parse", f"--spider={spider}", "--pipelines", "--nocolour", url, cwd=project)
    assert done.returncode == 0, done.stderr
    items, _, requests = done.stdout.partition("# Requests")
    assert items.count("'text': ") == 1
    assert "The storm of day 0 hit the northern coast" in items
    assert "'title': 'Storm'" in items
    assert (f"{server.url}/next" in requests) == (spider == "news")
    assert untouched(project)


def test_the_command_line_has_the_last_word_and_an_add_on_that_is_off_touches_nothing(tmp_path: Path) -> None:
    (tmp_path / "old.parquet").write_bytes(b"rows")
    feeds = {"FEEDS": {str(tmp_path / "old.parquet"): {"format": "parquet"}}}
    looking = Settings(feeds)
    looking.set("CLEANCRAWL_STORE", "sqlite:///known.db", "cmdline")
    CleanCrawlAddon(looking=True).update_settings(looking)
    assert (looking["FEEDS"], looking["CLEANCRAWL_STORE"]) == ({}, "sqlite:///known.db")
    off = Settings({**feeds, "CLEANCRAWL_ENABLED": False})
    with pytest.raises(NotConfigured):
        CleanCrawlAddon(looking=True).update_settings(off)
    assert dict(off["FEEDS"]) == feeds["FEEDS"]
