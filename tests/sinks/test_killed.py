"""Processes that die between the write into the index and the cursor in the store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.sinks.reader import EmbeddedReader
from cleancrawl.sinks.sink import open_sink
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Visit
from tests.sinks.conftest import make_article
from tests.sinks.fake_cluster import FakeCluster, running

ROOT = Path(__file__).parents[2]
COUNT = 40

# Dies exactly where the batch is durable in the sink and the store does not know it yet.
DIES_BEFORE_THE_CURSOR = """
import os, signal, sys
from cleancrawl.sinks.sink import open_sink
from cleancrawl.sinks.filling import sync
from cleancrawl.stores.opening import open_store

store, sink = open_store(sys.argv[1]), open_sink(sys.argv[2])
store.set_cursor = lambda name, cursor: os.kill(os.getpid(), signal.SIGKILL)
sync(store, sink, batch=15)
"""


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'articles.db'}"
    store = open_store(url)
    for number in range(COUNT):
        article = make_article(number)
        visit = Visit("example.com", article["url"], float(number))
        store.record(PageRecord(visit, Prints((), lambda indices: ()), number, article=article))
    store.close()
    return url


def python(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, *arguments], env={**os.environ, "PYTHONPATH": str(ROOT)})


def command(store_url: str, sink_url: str, *options: str) -> subprocess.Popen[bytes]:
    return python("-m", "cleancrawl", "sync", store_url, sink_url, *options)


def test_a_batch_that_was_written_but_not_noted_is_not_there_twice(store_url: str, tmp_path: Path):
    sink_url = f"tantivy:///{tmp_path / 'index'}"
    with python("-c", DIES_BEFORE_THE_CURSOR, store_url, sink_url) as process:
        assert process.wait() == -signal.SIGKILL
    assert EmbeddedReader(tmp_path / "index").size == 15
    with command(store_url, sink_url) as process:
        assert process.wait() == 0
    assert EmbeddedReader(tmp_path / "index").size == COUNT


def test_the_same_with_a_server(store_url: str):
    with running(FakeCluster()) as cluster:
        sink_url = f"opensearch://127.0.0.1:{cluster.port}/news"
        with python("-c", DIES_BEFORE_THE_CURSOR, store_url, sink_url) as process:
            assert process.wait() == -signal.SIGKILL
        assert len(cluster.documents) == 15
        with command(store_url, sink_url) as process:
            assert process.wait() == 0
        assert len(cluster.documents) == COUNT


def test_killed_at_any_moment_again_and_again(store_url: str, tmp_path: Path):
    sink_url = f"tantivy:///{tmp_path / 'index'}"
    for delay in (0.0, 0.01, 0.03):
        with command(store_url, sink_url, "--batch", "1") as process:
            while process.poll() is None and not (tmp_path / "index" / "meta.json").exists():
                time.sleep(0.005)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
    with command(store_url, sink_url, "--batch", "7") as process:
        assert process.wait() == 0
    reader = EmbeddedReader(tmp_path / "index")
    assert reader.size == COUNT
    assert reader.search("council", limit=100)[0] == COUNT


def test_two_indexes_at_different_speeds_in_two_processes(store_url: str, tmp_path: Path):
    urls = [f"tantivy:///{tmp_path / name}" for name in ("slow", "fast")]
    processes = [command(store_url, url, "--batch", batch) for url, batch in zip(urls, ("6", "500"), strict=True)]
    for process in processes:
        with process:
            assert process.wait() == 0
    assert [EmbeddedReader(tmp_path / name).size for name in ("slow", "fast")] == [COUNT, COUNT]
    store = open_store(store_url)
    for url in urls:
        sink = open_sink(url)
        assert store.cursor(sink.name) == COUNT
        sink.close()
    store.close()


def test_two_processes_fill_one_index(store_url: str, tmp_path: Path):
    sink_url = f"tantivy:///{tmp_path / 'index'}"
    processes = [command(store_url, sink_url, "--batch", batch) for batch in ("7", "10")]
    for process in processes:
        with process:
            assert process.wait() == 0
    assert EmbeddedReader(tmp_path / "index").size == COUNT
