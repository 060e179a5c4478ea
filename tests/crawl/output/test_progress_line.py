from __future__ import annotations

import logging
import os
import pty
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from cleancrawl.crawl.output.progress_line import ERASE
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
