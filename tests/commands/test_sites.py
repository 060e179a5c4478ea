from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.chaos.news_farm import Farm
from cleancrawl.stores.opening import open_store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store.db'}"


def listed(url: str, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    capsys.readouterr()
    assert main(["sites", "list", url, "--json"]) == 0
    return {site["name"]: site for site in json.loads(capsys.readouterr().out)}


def test_sites_are_added_changed_paused_and_removed(
    url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "more.txt").write_text("b-site.com # the second\nhttps://sport.a-site.com/\n")
    options = ["--every", "6h", "--since", "2026-11-01", "--max-pages", "50", "--discover", "feed", "--delay", "2.50"]
    assert main(["sites", "add", url, "https://www.a-site.com", f"@{tmp_path / 'more.txt'}", *options]) == 0
    assert capsys.readouterr().out == "2 sites added\n"
    sites = listed(url, capsys)
    assert list(sites) == ["a-site.com", "b-site.com"]
    # All hosts of a domain are one site, with one owner.
    assert sites["a-site.com"]["urls"] == ["https://www.a-site.com/", "https://sport.a-site.com/"]
    assert sites["a-site.com"]["interval"] == 6 * 3600
    expected = {"since": "2026-11-01", "max_pages": "50", "discover": "feed", "delay": "2.5"}
    assert sites["b-site.com"]["options"] == expected
    assert main(["sites", "add", url, "b-site.com"]) == 0
    assert capsys.readouterr().out == "0 sites added, 1 changed\n"
    assert listed(url, capsys)["b-site.com"]["options"] == {}
    assert main(["sites", "pause", url, "www.b-site.com"]) == 0
    assert listed(url, capsys)["b-site.com"]["due"] is None
    assert main(["sites", "due", url]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["site", "a-site.com"]
    assert main(["sites", "pause", url, "b-site.com", "--resume"]) == 0
    assert main(["sites", "due", url, "a-site.com", "--in", "2h"]) == 0
    capsys.readouterr()
    assert main(["sites", "list", url]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["site", "every", "due"]
    assert first.split()[:4] == ["a-site.com", "6h", "in", "2h"] or first.split()[3] == "120m"
    assert second.split()[:3] == ["b-site.com", "auto", "now"]
    assert "never crawled" in first
    assert main(["sites", "remove", url, "a-site.com", "b-site.com"]) == 0
    assert listed(url, capsys) == {}


def test_who_crawls_a_site_is_shown(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sites", "add", url, "a-site.com"])
    store = open_store(url)
    store.take_sites("machine-7", 1, 60.0)
    store.close()
    capsys.readouterr()
    main(["sites", "list", url])
    line = capsys.readouterr().out.splitlines()[1]
    assert "under way" in line
    assert "machine-7, lease" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["add", "URL", "notaurl"], "URL: 'notaurl' is not an http or https address"),
        (["add", "URL", "a.example", "--every", "soon"], "--every takes a time such as 30m, 6h or 1d, not 'soon'"),
        (["add", "URL", "a.example", "--since", "soon"], "--since must be a day"),
        (["add", "URL", "a.example", "--max-pages", "0"], "--max-pages must be a whole number of at least 1"),
        (["add", "URL", "a.example", "--discover", "guess"], "--discover may name sitemap, feed, links"),
        (["add", "URL", "a.example", "--delay", "-1"], "--delay must be a number of seconds"),
        (["remove", "URL", "b.example"], "b.example is not on the list"),
        (["pause", "URL", "b.example"], "b.example is not on the list"),
        (["due", "URL", "--in", "5"], "--in takes a time"),
        (["list", "sqlite:///nowhere.db"], "nowhere.db"),
    ],
)
def test_wrong_calls_are_refused_in_one_line(
    arguments: list[str], message: str, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sites", "add", url, "a.example"])
    capsys.readouterr()
    assert main(["sites", *[url if part == "URL" else part for part in arguments]]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "URL or --queue?"),
        (["a.example", "--queue"], "--queue takes its sites from the store"),
        (["a.example", "--once"], "--once goes with --queue"),
    ],
)
def test_a_crawl_has_sites_or_takes_them(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["crawl", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_list_and_a_worker_in_an_empty_directory(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Farm([2, 4], addresses=True) as farm:
        assert main(["sites", "add", url, *map(farm.url, farm.sizes), "--every", "2h", "--discover", "links"]) == 0
        command = [sys.executable, "-m", "cleancrawl", "crawl", "--queue", "--once", "--store", url, "-o", "out.jsonl"]
        for setting in ("CLEANCRAWL_ONLY_ARTICLES=0", "DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0"):
            command += ["-s", setting]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        found = [json.loads(line)["url"] for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
        assert sorted(found) == sorted(farm.article_urls())
    assert [(site["outcome"], site["owner"]) for site in listed(url, capsys).values()] == [("finished", None)] * 2
