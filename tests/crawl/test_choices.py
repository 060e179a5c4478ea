"""What users may choose, in real crawls: rules for single sites, precision or recall."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cleancrawl.crawl.config import Config
from cleancrawl.crawl.recipe_choice import judge_of
from spiders.pages import PagesSpider
from tests.crawling import Crawl, LittleServer

STORY = "A storm hit the coast on day {0}, and nobody was hurt, the mayor of town number {0} said. "
MOTTO = "All the news of the coast, every day and every night."


def html_of(number: int) -> str:
    story = STORY.format(number) * 4
    return (
        f"<html><title>Storm {number}</title><body><div class=motto>{MOTTO}</div><article><p>{story}</p>"
        f"<p class=promo>Our book {number} tells the story of all storms that have ever hit the coast.</p></article>"
    )


def test_a_crawl_with_a_file_of_rules(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    host = server.url.removeprefix("http://")
    rules = tmp_path / "rules.toml"
    rules.write_text(f'["{host}"]\nkeep = [".motto"]\ndrop = ["article > .promo"]\n', "utf-8")
    urls = ",".join(server.page(f"/2026/03/0{number}/storm", html_of(number)) for number in range(1, 8))
    settings = {"CLEANCRAWL_RECIPE": "default", "CLEANCRAWL_DUPLICATES": "keep", "CONCURRENT_REQUESTS": 1}
    plain = crawl(PagesSpider, settings, urls=urls)
    ruled = crawl(PagesSpider, {**settings, "CLEANCRAWL_SITE_RULES": str(rules)}, urls=urls)
    assert len(plain.items) == len(ruled.items) == 7
    assert not any(MOTTO in item.text for item in plain.items)
    assert all("Our book" in item.text for item in plain.items)
    # On all pages of the site, and kept on all of them: also where the site is known.
    assert all(item.text.startswith(MOTTO) for item in ruled.items)
    assert not any("Our book" in item.text for item in ruled.items)
    assert ruled.counted("removed/")["site-drop"] == 7


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("CLEANCRAWL_FAVOUR=speed", "CLEANCRAWL_FAVOUR must be 'precision' or 'recall', not 'speed'"),
        ("CLEANCRAWL_SITE_RULES=none.toml", "CLEANCRAWL_SITE_RULES must be a TOML file with rules per site, not"),
        ("CLEANCRAWL_SITE_RULES=bad.toml", "site rules bad.toml: [a.example] drop: 'p[' is no CSS selector: "),
        ("CLEANCRAWL_SITE_RULES=no.toml", "site rules no.toml: "),
    ],
)
def test_the_scrapy_command_refuses_them_in_one_line(
    setting: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project\n")
    (tmp_path / "project.py").write_text(
        "SPIDER_MODULES = ['cleancrawl.spiders']\nADDONS = {'cleancrawl.crawl.addon.CleanCrawlAddon': 500}\n"
        "CLEANCRAWL_STORE = 'memory:'\n"
    )
    (tmp_path / "bad.toml").write_text("[a.example]\ndrop = ['p[']\n")
    (tmp_path / "no.toml").write_text("no toml")
    command = [sys.executable, "-m", "scrapy", "crawl", "pages", "-a", "urls=https://a.example/", "-s", setting]
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    done = subprocess.run([*command, "-s", "LOG_ENABLED=0"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"cleancrawl: {line}")
    assert done.stderr.count("\n") == 1


def test_what_is_chosen_is_part_of_the_judge(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[a.example]\ndrop = ['p']\n")
    chosen = [Config(), Config(favour="recall"), Config(favour="precision"), Config(site_rules=str(rules))]
    judges = {judge_of(config) for config in chosen}
    rules.write_text("[a.example]\ndrop = ['h2']\n")
    assert len({*judges, judge_of(chosen[-1])}) == 5
