"""The egg, and a real Scrapyd that runs it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from cleancrawl.core.native import in_use
from cleancrawl.crawl import egg
from cleancrawl.crawl.egg import build_egg
from cleancrawl.errors import ConfigError
from cleancrawl.version import __version__
from tests.extras import needs
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_egg(ROOT, tmp_path_factory.mktemp("egg"))


def test_the_egg_has_settings_and_spiders_and_nothing_else(built: Path) -> None:
    names = ZipFile(built).namelist()
    assert {"settings/corpus.py", "spiders/news.py", "EGG-INFO/entry_points.txt"} <= set(names)
    assert {name.partition("/")[0] for name in names} == {"settings", "spiders", "EGG-INFO"}
    assert not [name for name in names if "__pycache__" in name]
    assert built.stat().st_size < 20_000


def test_the_same_tree_gives_the_same_egg(built: Path, tmp_path: Path) -> None:
    assert build_egg(ROOT, tmp_path / "again.egg").read_bytes() == built.read_bytes()


def test_wrong_use_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigError, match="no settings module"):
        build_egg(ROOT, tmp_path, "settings.nothing")
    monkeypatch.chdir(tmp_path)
    assert egg.main([]) == 1
    assert "is not the cleancrawl project" in capsys.readouterr().err


class Scrapyd:
    def __init__(self, url: str) -> None:
        self.url = url

    def get(self, path: str, **query: str) -> dict[str, Any]:
        with urlopen(f"{self.url}/{path}?{urlencode(query)}", timeout=30) as answer:
            return dict(json.load(answer))

    def schedule(self, **form: str) -> str:
        with urlopen(f"{self.url}/schedule.json", urlencode(form).encode(), timeout=60) as answer:
            found = json.load(answer)
        assert found["status"] == "ok", found
        return str(found["jobid"])


@pytest.fixture
def scrapyd(tmp_path: Path) -> Iterator[Scrapyd]:
    needs("scrapyd", "dev")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tmp_path / "scrapyd"
    home.mkdir()
    (home / "scrapyd.conf").write_text(
        f"[scrapyd]\nbind_address = 127.0.0.1\nhttp_port = {port}\neggs_dir = eggs\nlogs_dir = logs\ndbs_dir = dbs\n"
        "poll_interval = 0.5\nmax_proc = 1\n"
    )
    # The package is installed beside Scrapyd, the project is not: settings and spiders come from the egg.
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed/cleancrawl").symlink_to(ROOT / "cleancrawl")
    environment = {key: value for key, value in os.environ.items() if key != "SCRAPY_PROJECT"}
    environment["PYTHONPATH"] = str(tmp_path / "installed")
    with (home / "scrapyd.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"], cwd=home, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        served = Scrapyd(f"http://127.0.0.1:{port}")
        try:
            wait_for(lambda: answers(served), home / "scrapyd.log", process)
            yield served
        finally:
            process.terminate()
            process.wait(60)


def answers(served: Scrapyd) -> bool:
    try:
        return served.get("daemonstatus.json")["status"] == "ok"
    except URLError:
        return False


def wait_for(done: Any, log: Path, process: subprocess.Popen[bytes] | None = None) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        ended = process is not None and process.poll() is not None
        if ended or time.monotonic() > deadline:
            pytest.fail(f"gave up: {log.read_text()[-3000:]}")
        time.sleep(0.2)


def test_scrapyd_runs_a_crawl_of_the_sample_site(
    scrapyd: Scrapyd, built: Path, sample_site: SampleSite, tmp_path: Path
) -> None:
    config = tmp_path / "project"
    config.mkdir()
    (config / "scrapy.cfg").write_text(
        f"[settings]\ndefault = settings.corpus\n[deploy]\nurl = {scrapyd.url}/\nproject = cleancrawl\n"
    )
    deploy = [sys.executable, "-m", "scrapyd_client.deploy", "--egg", str(built), "--version", "1"]
    done = subprocess.run(deploy, cwd=config, capture_output=True, text=True)
    assert '"status": "ok"' in done.stdout, done.stdout + done.stderr

    home, page = tmp_path / "scrapyd", sample_site.a + min(page.path for page in article_pages("a"))
    jobs = [
        scrapyd.schedule(project="cleancrawl", spider="news", sites=sample_site.b),
        scrapyd.schedule(project="cleancrawl", spider="pages", urls=page),
        scrapyd.schedule(project="cleancrawl", spider="pages", urls="http://127.0.0.1:9/", setting="RETRY_TIMES=0"),
        scrapyd.schedule(project="cleancrawl", spider="news", sites=sample_site.b, max_page="3"),
    ]
    log = home / "scrapyd.log"
    for job in jobs:
        wait_for(lambda: scrapyd.get("status.json", job=job).get("currstate") == "finished", log)  # noqa: B023
    # Jobs share a store and no file; those that failed have none, and both logs say so.
    (corpus,) = (home / "output/corpus").glob(f"*-{jobs[0]}.jsonl")
    articles = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    assert len(articles) >= 8
    assert all(article["text"] and article["title"] for article in articles)
    (single,) = (home / "output/corpus").glob(f"*-{jobs[1]}.jsonl")
    assert len(single.read_text("utf-8").splitlines()) == 1
    assert len(list((home / "output/corpus").iterdir())) == 2
    told = (home / "logs/cleancrawl/pages" / f"{jobs[2]}.log").read_text("utf-8")
    assert told.count("cleancrawl: the crawl failed: nothing could be read: DownloadConnectionRefusedError") == 1
    text = log.read_text("utf-8")
    assert text.count("Process died: exitstatus=1") == 2
    assert "cleancrawl: unknown argument -a max_page=: did you mean max_pages?" in text
    (begun,) = (tmp_path / "scrapyd/logs").rglob(f"{jobs[0]}.log")
    assert f"cleancrawl {__version__} ({in_use()})" in begun.read_text("utf-8")
