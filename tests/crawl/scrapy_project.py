"""A Scrapy project with the add-on in a directory of its own, run as real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

STORY = "<html><title>Storm</title><h1>Storm</h1><p>A heavy storm hit the northern coast.</p>"
SETTINGS = """
SPIDER_MODULES = ["cleancrawl.spiders"]
ADDONS = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}
FEED_EXPORTERS = {"parquet": "cleancrawl.crawl.output.feed_formats.ParquetItemExporter"}
CLEANCRAWL_RECIPE = "tests.recipes_for_tests.paragraphs"
CLEANCRAWL_MIN_WORDS = 5
CLEANCRAWL_ONLY_ARTICLES = False
CLEANCRAWL_WARMUP_PAGES = 0
RETRY_ENABLED = False
TELNETCONSOLE_ENABLED = False
"""


@dataclass(frozen=True, slots=True)
class Project:
    path: Path

    def add_settings(self, text: str) -> None:
        with (self.path / "own_settings.py").open("a") as file:
            file.write(text + "\n")

    def scrapy(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        command = [sys.executable, "-m", "scrapy", *arguments]
        return subprocess.run(
            command, cwd=self.path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )


def make_project(path: Path) -> Project:
    (path / "scrapy.cfg").write_text("[settings]\ndefault = own_settings\n")
    (path / "own_settings.py").write_text(SETTINGS)
    return Project(path)
