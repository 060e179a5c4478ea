from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import scrapy

from cleancrawl.cli import main
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.output import index_extension as index
from cleancrawl.errors import ConfigError
from cleancrawl.sinks import server as server_module
from cleancrawl.sinks.reader import EmbeddedReader
from cleancrawl.stores.opening import open_store
from tests.crawling import BASE, Crawl, LittleServer
from tests.sinks.fake_cluster import FakeCluster, running
from tests.sinks.opensearch_node import free_port


class PagesSpider(scrapy.Spider):
    name = "pages"
    custom_settings = {"DOWNLOAD_DELAY": 0.02}  # noqa: RUF012
    urls: list[str]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in self.urls:
            yield scrapy.Request(url)

    def parse(self, response: object) -> None:
        return None


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "INTERVAL", 0.03)
    monkeypatch.setattr(index, "BATCH", 3)
    monkeypatch.setattr(server_module, "_PAUSES", (0.0,))


@pytest.fixture
def urls(server: LittleServer) -> list[str]:
    page = "<html lang=en><title>Story {0}</title><p>Harbour number {0} was opened on day {0} of the year.</p>"
    return [server.page(f"/{number}", page.format(number)) for number in range(12)]


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For an index that does not come back."""
    monkeypatch.setattr(index, "CLOSE_PATIENCE", 0.3)


def settings(tmp_path: Path, sink: str) -> dict[str, Any]:
    return {
        "CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'crawl.db'}",
        "CLEANCRAWL_INDEX": sink,
        "CLEANCRAWL_WARMUP_PAGES": 0,
    }


def test_a_crawl_ends_with_a_searchable_index(crawl: Crawl, urls: list[str], tmp_path: Path) -> None:
    crawled = crawl(PagesSpider, settings(tmp_path, f"tantivy:///{tmp_path / 'index'}"), urls=urls)
    reader = EmbeddedReader(tmp_path / "index")
    assert reader.size == 12
    assert reader.search("harbours opening")[0] == 12
    assert crawled.stats["cleancrawl/index/articles"] == 12


def test_articles_in_memory_reach_the_index_too(crawl: Crawl, urls: list[str], tmp_path: Path) -> None:
    chosen = {**settings(tmp_path, f"tantivy:///{tmp_path / 'index'}"), "CLEANCRAWL_STORE": "memory:"}
    crawl(PagesSpider, chosen, urls=urls)
    assert EmbeddedReader(tmp_path / "index").size == 12


def test_an_index_that_comes_back_during_the_crawl(crawl: Crawl, urls: list[str], tmp_path: Path, caplog: Any) -> None:
    with running(FakeCluster()) as cluster, caplog.at_level(logging.INFO):
        cluster.bulk_answers = [503, 503, 429]
        crawled = crawl(PagesSpider, settings(tmp_path, f"opensearch://127.0.0.1:{cluster.port}/news"), urls=urls)
        assert {document["url"] for document in cluster.documents.values()} == set(urls)
    assert crawled.stats["cleancrawl/index/outages"] == 3
    assert caplog.text.count("out of reach") == 1
    assert "is back" in caplog.text


@pytest.mark.usefixtures("_impatient")
def test_an_index_that_stays_down_costs_nothing_but_itself(
    crawl: Crawl, urls: list[str], tmp_path: Path, caplog: Any
) -> None:
    port = free_port()
    sink = f"opensearch://ada:s3cret@127.0.0.1:{port}/news"
    crawled = crawl(PagesSpider, settings(tmp_path, sink), urls=urls)
    assert len(crawled.items) == 12
    assert "articles wait for the index opensearch://ada:***@127.0.0.1" in caplog.text
    assert "s3cret" not in caplog.text
    with running(FakeCluster(port)) as cluster:
        assert main(["sync", f"sqlite:///{tmp_path / 'crawl.db'}", sink]) == 0
        assert {document["url"] for document in cluster.documents.values()} == set(urls)


def test_an_index_that_refuses_is_given_up(crawl: Crawl, urls: list[str], tmp_path: Path, caplog: Any) -> None:
    with running(FakeCluster()) as cluster:
        cluster.bulk_answers = [401] * 50
        crawled = crawl(PagesSpider, settings(tmp_path, f"opensearch://127.0.0.1:{cluster.port}/news"), urls=urls)
    assert len(crawled.items) == 12
    assert caplog.text.count("given up for this crawl") == 1
    store = open_store(f"sqlite:///{tmp_path / 'crawl.db'}")
    assert len(store.articles()) == 12
    store.close()


def test_a_mistake_in_a_sink_does_not_reach_the_crawl(
    crawl: Crawl, urls: list[str], tmp_path: Path, caplog: Any
) -> None:
    chosen = settings(tmp_path, "opensearch://127.0.0.1:1/news")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_module, "OpenSearchCluster", lambda address: 1 / 0)
        crawled = crawl(PagesSpider, chosen, urls=urls)
    assert len(crawled.items) == 12
    assert caplog.text.count("given up for this crawl") == 1


def test_a_wrong_url_stops_the_crawl_at_its_start(crawl: Crawl, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown sink 'solr'"):
        crawl(PagesSpider, settings(tmp_path, "solr://host"), urls=[])
    assert len(OnePerCrawl._made) == 0


KILLED_CRAWL = """
import json, sys
from scrapy.crawler import AsyncCrawlerProcess
from cleancrawl.crawl.output import index_extension as index
from tests.crawl.output.test_index_extension import PagesSpider

index.INTERVAL, index.BATCH = 0.02, 2
process = AsyncCrawlerProcess(json.loads(sys.argv[1]))
process.crawl(PagesSpider, urls=sys.argv[2:])
process.start()
"""


def test_a_killed_crawl_leaves_nothing_out_and_nothing_double(urls: list[str], tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    chosen = {**BASE, **settings(tmp_path, f"tantivy:///{tmp_path / 'index'}"), "DOWNLOAD_DELAY": 0.05}
    command = [sys.executable, "-c", KILLED_CRAWL, json.dumps(chosen), *urls]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and indexed(tmp_path / "index") < 3:
            time.sleep(0.02)
        process.kill()
    store = open_store(f"sqlite:///{tmp_path / 'crawl.db'}")
    recorded = {entry.url for entry in store.articles(limit=100)}
    store.close()
    assert len(recorded) >= 3
    assert main(["sync", f"sqlite:///{tmp_path / 'crawl.db'}", f"tantivy:///{tmp_path / 'index'}"]) == 0
    reader = EmbeddedReader(tmp_path / "index")
    assert reader.size == len(recorded)
    assert set(reader.urls("harbour", limit=100)) == recorded


def indexed(directory: Path) -> int:
    return EmbeddedReader(directory).size if (directory / "meta.json").exists() else 0


def test_make_crawl_ends_with_a_searchable_sample_site(capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "tests.site.demo"],
        cwd=root,
        env={**os.environ, "SCRAPY_PROJECT": "index"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "articles → tantivy:///output/index" in done.stdout
    assert main(["search", "seagrass meadows", "--index", str(root / "output" / "index")]) == 0
    assert "seagrass meadow" in capsys.readouterr().out
