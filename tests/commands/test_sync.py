from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Visit
from tests.sinks.conftest import make_article
from tests.sinks.fake_cluster import FakeCluster, running
from tests.sinks.opensearch_node import free_port


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'articles.db'}"
    store = open_store(url)
    for number in range(3):
        article = make_article(number)
        visit = Visit("example.com", article["url"], 1.0)
        store.record(PageRecord(visit, Prints((), lambda indices: ()), number, article=article))
    store.close()
    return url


def test_fills_and_says_how_much(store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    sink = f"tantivy:///{tmp_path / 'index'}"
    assert main(["sync", store_url, sink]) == 0
    assert main(["sync", store_url, sink]) == 0
    assert capsys.readouterr().out == f"3 articles → {sink}\n0 articles → {sink}\n"


def test_an_index_out_of_reach_is_one_line(store_url: str, capsys: pytest.CaptureFixture[str]):
    sink = f"opensearch://ada:s3cret@127.0.0.1:{free_port()}/news"
    assert main(["sync", store_url, sink, "--wait", "0.02"]) == 1
    first, last = capsys.readouterr().err.splitlines()
    assert "again in 0 s" in first
    assert last.startswith("cleancrawl sync: no usable answer from http://127.0.0.1:")
    assert "s3cret" not in first + last


def test_lists_what_was_refused(store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with running(FakeCluster()) as cluster:
        sink = f"opensearch://127.0.0.1:{cluster.port}/news"
        cluster.bulk_answers = [{"https://example.com/1": (400, "mapper_parsing_exception")}]
        assert main(["sync", store_url, sink]) == 0
        capsys.readouterr()
        assert main(["sync", store_url, sink, "--rejected"]) == 0
        assert "\thttps://example.com/1\tmapper_parsing_exception: because\n" in capsys.readouterr().out
    assert main(["sync", store_url, f"tantivy:///{tmp_path / 'index'}", "--rejected"]) == 2


def test_wrong_use(store_url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["sync", store_url, "solr://host"]) == 2
    assert main(["sync", store_url, "tantivy:///x", "--batch", "0"]) == 2
    assert "--batch" in capsys.readouterr().err
