"""A real Scrapyd: the egg is deployed with its client, a crawl scheduled over its API, and the result read."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.site.manifest import article_pages
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[2]
PATIENCE = 90


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ask(url: str, **data: str | list[str]) -> dict[str, object]:
    body = urlencode(data, doseq=True).encode() if data else None
    with urlopen(url, body, timeout=PATIENCE) as response:
        answer: dict[str, object] = json.load(response)
    assert answer["status"] == "ok", answer
    return answer


@pytest.fixture
def environment() -> dict[str, str]:
    # What the crawl imports must come out of the egg.
    scripts = str(Path(sys.executable).parent)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SCRAPY"))}
    return {**kept, "PATH": scripts + os.pathsep + os.environ["PATH"]}


@pytest.fixture
def scrapyd(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    port = free_port()
    (tmp_path / "scrapyd.conf").write_text(f"[scrapyd]\nhttp_port = {port}\npoll_interval = 0.2\n")
    (tmp_path / "scrapy.cfg").write_text(f"[deploy]\nurl = http://127.0.0.1:{port}/\nproject = cleancrawl\n")
    with (
        (tmp_path / "scrapyd.log").open("wb") as log,
        subprocess.Popen(["scrapyd"], cwd=tmp_path, env=environment, stdout=log, stderr=log) as process,
    ):
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def wait_until_up(url: str) -> None:
    for _ in range(PATIENCE * 10):
        try:
            ask(f"{url}/daemonstatus.json")
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("scrapyd did not start")


def test_a_crawl_is_deployed_scheduled_and_read(
    scrapyd: str, site: SampleSite, tmp_path: Path, environment: dict[str, str]
) -> None:
    egg = tmp_path / "project.egg"
    subprocess.run([sys.executable, ROOT / "scripts/build_egg.py", egg], check=True, capture_output=True)
    wait_until_up(scrapyd)
    subprocess.run(
        ["scrapyd-deploy", "--egg", str(egg)], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    assert ask(f"{scrapyd}/listspiders.json?project=cleancrawl")["spiders"] == ["archive", "news", "pages"]

    corpus = tmp_path / "corpus.jsonl"
    settings = {
        "FEEDS": json.dumps({str(corpus): {"format": "jsonlines"}}),
        "CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'crawl.db'}",
        "DOWNLOAD_DELAY": "0",
        "AUTOTHROTTLE_ENABLED": "0",
    }
    options = [f"{name}={value}" for name, value in settings.items()]
    ask(f"{scrapyd}/schedule.json", project="cleancrawl", spider="news", sites=site.a, setting=options)
    for _ in range(PATIENCE * 5):
        if ask(f"{scrapyd}/listjobs.json?project=cleancrawl")["finished"]:
            break
        time.sleep(0.2)
    articles = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    assert {site.a + page.path for page in article_pages("a")} <= {article["url"] for article in articles}
