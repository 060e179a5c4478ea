from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.commands.serve import open_source
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
    ("pages", "words", "searched"),
    [
        ({"/robots.txt": ("User-agent: *\nDisallow: /", "text/plain")}, " × forbidden by robots.txt, e.g. {}/", False),
        ({"/": ("<p>Nothing here</p>", "text/html")}, "1 × page was no article: front-page, e.g. {}/", True),
        ({}, "1 × http-404, e.g. {}/", False),
        ({"/": ("%PDF", "application/pdf")}, "1 × skipped: not-html, e.g. {}/", False),
    ],
)
def test_no_articles_says_why(
    pages: dict[str, tuple[str, str]],
    words: str,
    searched: bool,
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
    assert ("no links to pages were found" in shown) == searched


def test_a_list_of_pages_is_not_blamed_for_having_no_links(
    crawl: Crawl, server: LittleServer, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(ListSpider, {"CLEANCRAWL_SUMMARY": "-"}, urls=[server.page("/no", "")])
    shown = capsys.readouterr().out
    assert "no articles     1 × page was no article: empty, e.g." in shown
    assert "no links" not in shown


def test_links_that_were_left_aside_are_a_reason(
    crawl: Crawl, server: LittleServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.page("/", "<a href='/2020/01/02/old-story-of-the-bridge'>An old story</a>")
    crawl(NewsSpider, {"CLEANCRAWL_SUMMARY": "-"}, sites=server.url, since="2026-01-01", discover="links")
    assert "1 × link left aside: outside-dates" in capsys.readouterr().out


def test_a_site_that_cannot_be_reached_is_named(crawl: Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    crawl(NewsSpider, {"CLEANCRAWL_SUMMARY": "-"}, sites="http://127.0.0.1:9/", discover="links")
    assert "1 × DownloadConnectionRefusedError, e.g. http://127.0.0.1:9/" in capsys.readouterr().out


def test_many_rules_are_cut_short() -> None:
    stats = {f"cleancrawl/removed/rule-{number}": 20 - number for number in range(15)}
    assert summary({**stats, "cleancrawl/articles": 1}, {}).endswith("rule-11 9, others 21")
    assert why_nothing({}, {}) == ["nothing was asked for"]
    assert why_nothing({"cleancrawl/revisit/not-due": 3}, {}) == ["3 × not due to be looked at again"]


def test_opening_lines_are_cut_in_scripts_without_blanks_too() -> None:
    shown = summary({"cleancrawl/articles": 1}, {}, first=("云岭", "山" * 300))
    assert shown.endswith(" " + "山" * 99 + "…")


def test_make_crawl_shows_the_corpus_and_what_it_says_next_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "tests.site.demo"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown = dict(line.split("  ", 1) for line in done.stdout.splitlines() if "  " in line.strip())
    assert {"corpus", "pages crawled", "articles kept", "blocks removed", "first article", "log"} <= set(shown)
    assert (root / shown["corpus"].strip()).parent == root / "output/corpus"
    assert (root / shown["corpus"].strip()).stat().st_size > 10_000
    steps = [shlex.split(line)[1:] for line in done.stdout.partition("\nnext")[2].splitlines()]
    assert [step[0] for step in steps] == ["store", "export", "sync", "search", "serve"]
    assert "Harvest report" in (root / shown["report"].strip()).read_text("utf-8")
    monkeypatch.chdir(root)
    *ending, serve = steps
    for step in ending:
        assert main(step) == 0, step
    open_source(serve[1:]).close()
    said = capsys.readouterr().out
    assert f"{int(shown['articles kept'])} articles, " in said
    assert "How a seagrass meadow returned to Lunn Sound" in said


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_crawl_says_what_it_does_while_it_installs(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    # Instead of an environment: what would be run is written down.
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/ran\n')
    python.chmod(0o755)
    command = ["make", "--no-print-directory", "crawl", f"VENV={tmp_path / 'venv'}", f"PYTHON={sys.executable}"]
    first, again = (
        subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert "Installing Scrapy and the rest into" in first
    assert "compiling" in first
    assert again == ""
    ran = (tmp_path / "ran").read_text().splitlines()
    assert [line.split()[1] for line in ran] == ["pip", "from", "tests.site.demo", "tests.site.demo"]
