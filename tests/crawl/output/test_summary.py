from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cleancrawl.crawl.output.summary import summary, why_nothing
from spiders.news import NewsSpider
from tests.crawl.cleaning.test_cleaning import STORY, ListSpider
from tests.crawling import Crawl, LittleServer


def test_the_summary_goes_where_it_is_wanted(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    target = tmp_path / "new" / "summary.txt"
    feed = {(tmp_path / "corpus.jsonl").as_posix(): {"format": "jsonlines"}}
    settings = {"CLEANCRAWL_SUMMARY": str(target), "FEEDS": feed}
    crawl(ListSpider, settings, urls=[server.page("/storm", STORY), server.page("/no", "")])
    assert target.read_text().splitlines() == [
        f"corpus          {tmp_path}/corpus.jsonl",
        "pages crawled   2",
        "articles kept   1",
        "dropped         empty 1",
        "blocks removed  1: links 1",
        "first article   Storm",
        "                Storm",
        "                A heavy storm hit the northern coast.",
    ]
    (line,) = (tmp_path / "corpus.jsonl").read_text().splitlines()
    assert json.loads(line)["text"] == "Storm\nA heavy storm hit the northern coast."


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ({"/robots.txt": ("User-agent: *\nDisallow: /", "text/plain")}, " × forbidden by robots.txt, e.g. {}/"),
        ({"/": ("<p>Nothing here</p>", "text/html")}, "1 × page was no article: front-page, e.g. {}/"),
        ({}, "1 × http-404, e.g. {}/"),
        ({"/": ("%PDF", "application/pdf")}, "1 × skipped: not-html, e.g. {}/"),
    ],
)
def test_no_articles_says_why(
    pages: dict[str, tuple[str, str]],
    words: str,
    crawl: Crawl,
    server: LittleServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for path, (body, kind) in pages.items():
        server.page(path, body, kind=kind)
    crawl(NewsSpider, {"CLEANCRAWL_SUMMARY": "-", "ROBOTSTXT_OBEY": True}, sites=server.url)
    shown = capsys.readouterr().out
    assert "articles kept   0" in shown
    assert words.format(server.url) in shown
    assert "no links to pages were found" in shown


def test_a_site_that_cannot_be_reached_is_named(crawl: Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    crawl(NewsSpider, {"CLEANCRAWL_SUMMARY": "-"}, sites="http://127.0.0.1:9/", discover="links")
    assert "1 × DownloadConnectionRefusedError, e.g. http://127.0.0.1:9/" in capsys.readouterr().out


def test_many_rules_are_cut_short() -> None:
    stats = {f"cleancrawl/removed/rule-{number}": 20 - number for number in range(15)}
    assert summary({**stats, "cleancrawl/articles": 1}, {}).endswith("rule-11 9, others 21")
    assert why_nothing({}, {}) == ["no links to pages were found"]


def test_opening_lines_are_cut_in_scripts_without_blanks_too() -> None:
    shown = summary({"cleancrawl/articles": 1}, {}, first=("云岭", "山" * 300))
    assert shown.endswith(" " + "山" * 99 + "…")


def test_make_crawl_shows_the_corpus() -> None:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "tests.site.demo"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown = dict(line.split("  ", 1) for line in done.stdout.splitlines() if "  " in line.strip())
    assert {"corpus", "pages crawled", "articles kept", "blocks removed", "first article", "log"} <= set(shown)
    assert (root / "output/corpus.jsonl").stat().st_size > 10_000
