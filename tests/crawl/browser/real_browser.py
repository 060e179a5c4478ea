"""A real Chromium for crawls, driven by scrapy-playwright."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from cleancrawl.crawl.browser.browser_settings import PROGRAMS
from tests.crawl.test_sample_site import REAL

AUTO = {**REAL, "CLEANCRAWL_BROWSER": "auto", "CLEANCRAWL_WARMUP_PAGES": 0}
_THERE = importlib.util.find_spec("scrapy_playwright") is not None and any(map(shutil.which, PROGRAMS))
needs_browser = pytest.mark.skipif(
    not _THERE, reason="no Chromium on this machine (apt-get install chromium), or no scrapy-playwright (extra browser)"
)


def browser_processes() -> list[int]:
    """The main processes of browsers that this process has started."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = []
    for process in parents:
        ancestor, steps = process, 0
        while ancestor not in (0, os.getpid()) and steps < 20:
            ancestor, steps = parents.get(ancestor, 0), steps + 1
        try:
            command = (Path("/proc") / str(process) / "cmdline").read_text()
        except OSError:
            continue
        if ancestor == os.getpid() and "--remote-debugging" in command and "--type=" not in command:
            found.append(process)
    return found
