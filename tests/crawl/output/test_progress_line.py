from __future__ import annotations

import logging
import os
import pty
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from cleancrawl.crawl.output import progress_line as progress
from cleancrawl.crawl.output import time_left
from cleancrawl.crawl.output.progress_line import ERASE
from spiders.news import NewsSpider
from tests.crawl.cleaning.test_cleaning import STORY, ListSpider
from tests.crawling import Crawl, LittleServer
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[3]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_makes_way_for_the_log(crawl: Crawl, server: LittleServer, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    handler = logging.StreamHandler(terminal)
    handler.setLevel(logging.ERROR)
    logging.root.addHandler(handler)
    try:
        crawl(ListSpider, urls=[server.page("/bad", STORY + "explode"), server.page("/storm", STORY)])
    finally:
        logging.root.removeHandler(handler)
    shown = terminal.getvalue()
    assert shown.startswith(ERASE + "0 sites · 0 pages · 0 articles")
    assert ERASE + "cleancrawl: secondary failed on" in shown
    assert " pages · " not in shown.rpartition(ERASE)[2]
    assert handler.filters == []


def queued(terminal: Terminal) -> list[int]:
    return [int(number) for number in re.findall(r"· (\d+) in the queue", terminal.getvalue())]


def test_what_waits_for_its_turn_with_a_site_is_in_the_queue(
    crawl: Crawl, server: LittleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    monkeypatch.setattr(time_left, "SPAN", 0.2)
    monkeypatch.setenv("COLUMNS", "200")
    urls = [server.page(f"/{number}", STORY) for number in range(9)]
    # All of them leave Scrapy's queue at once, for that of the downloader.
    crawl(ListSpider, {"DOWNLOAD_DELAY": 0.1, "DOWNLOAD_DELAY_JITTER": 0}, urls=urls)
    shown = queued(terminal)
    assert max(shown) >= 7
    assert len(set(range(1, 7)) & set(shown)) >= 3
    assert shown[shown.index(max(shown)) :] == sorted(shown[shown.index(max(shown)) :], reverse=True)
    assert re.search(r"[1-7] in the queue · about 1 s left", terminal.getvalue())


def test_what_the_limit_leaves_out_is_not_in_the_queue(
    crawl: Crawl, server: LittleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "SECONDS", 0.02)
    monkeypatch.setenv("COLUMNS", "200")
    paths = [f"/the-story-with-number-{number}" for number in range(60)]
    server.page("/", "".join(f"<a href='{path}'>story</a>" for path in paths))
    for path in paths:
        server.page(path, STORY)
    settings = {"DOWNLOAD_DELAY": 0.05, "CONCURRENT_REQUESTS": 4}
    crawl(NewsSpider, settings, sites=server.url, discover="links", max_pages="10")
    # Those that have just left the queue count twice for a moment.
    assert 5 <= max(queued(terminal)) <= 15


def test_there_is_none_in_pipes_or_where_it_is_not_wanted(
    crawl: Crawl, server: LittleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [server.page("/storm", STORY)]
    monkeypatch.setattr(sys, "stderr", StringIO())
    crawl(ListSpider, urls=urls)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "stderr", Terminal())
    crawl(ListSpider, {"CLEANCRAWL_PROGRESS": False}, urls=urls)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_on_a_real_terminal(site: SampleSite) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", f"sites={site.a}", "-a", "max_pages=3"]
    settings = ["DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0", "LOG_LEVEL=ERROR", "CLEANCRAWL_STORE=memory:", "FEEDS={}"]
    command += [part for setting in settings for part in ("-s", setting)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the other end of the terminal was closed
        pass
    os.close(ours)
    assert process.communicate()[0] == b""
    assert process.returncode == 0
    assert "articles · ".encode() in shown
    assert shown.endswith(ERASE.encode())
