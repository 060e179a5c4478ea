"""Several processes fill one index at once, and one of them stands still in between: the newest version stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.sinks.reader import EmbeddedReader
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Store, Visit
from tests.sinks.conftest import make_article
from tests.sinks.fake_cluster import FakeCluster, running

ROOT = Path(__file__).parents[2]

# Has read its batch, stands still before it writes, and dies when it has written.
STANDS_STILL = """
import os, signal, sys
from cleancrawl.sinks.sink import open_sink
from cleancrawl.sinks.filling import sync
from cleancrawl.stores.opening import open_store

store, sink = open_store(sys.argv[1]), open_sink(sys.argv[2])
write = sink.write
def late(*arguments):
    os.kill(os.getpid(), signal.SIGSTOP)
    write(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
sink.write = late
sync(store, sink)
"""
SYNC = "import sys; from cleancrawl.cli import main; sys.exit(main(sys.argv[1:]))"
# Fills in small batches until the file is gone, then once more.
FILLS = """
import sys
from pathlib import Path
from cleancrawl.sinks.sink import open_sink
from cleancrawl.sinks.filling import sync
from cleancrawl.stores.opening import open_store

store, sink = open_store(sys.argv[1]), open_sink(sys.argv[2])
print("ready", flush=True)
while Path(sys.argv[3]).exists():
    sync(store, sink, batch=2)
sync(store, sink, batch=2)
"""

Titles = Callable[[], dict[str, str]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'articles.db'}")
    yield opened
    opened.close()


@pytest.fixture(params=["embedded", "server"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Titles]]:
    """The URL of an index, and what it holds: titles by URL."""
    if request.param == "embedded":
        yield f"tantivy:///{tmp_path / 'index'}", lambda: _titles(_embedded(tmp_path / "index"))
        return
    with running(FakeCluster()) as cluster:
        yield f"opensearch://127.0.0.1:{cluster.port}/news", lambda: _titles(cluster.documents.values())


def _embedded(directory: Path) -> list[Any]:
    return [hit.article for hit in EmbeddedReader(directory).search("council")[1]]


def _titles(articles: Any) -> dict[str, str]:
    return {article["url"]: article["title"] for article in articles}


def record(store: Store, number: int, moment: int, **fields: Any) -> None:
    article = make_article(number, **fields)
    store.record(
        PageRecord(
            Visit("example.com", article["url"], float(moment)), Prints((), lambda _: ()), moment, article=article
        )
    )


def python(script: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", script, *arguments], env=environment, text=True, **options)


def test_a_process_that_stood_still_does_not_bring_back_what_was(
    store: Store, index: tuple[str, Titles], tmp_path: Path
) -> None:
    url, titles = index
    store_url = f"sqlite:///{tmp_path / 'articles.db'}"
    for number in range(3):
        record(store, number, 1, title="as it was")
    with python(STANDS_STILL, store_url, url) as late:
        _, status = os.waitpid(late.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        record(store, 0, 2, title="as it is")
        store.withdraw("https://example.com/1")
        with python(SYNC, "sync", store_url, url) as other:
            # An embedded index is locked by the one that stands still; a server takes what the other writes.
            with suppress(subprocess.TimeoutExpired):
                other.wait(1.0 if url.startswith("tantivy") else 60.0)
            late.send_signal(signal.SIGCONT)
            assert late.wait() == -signal.SIGKILL
            assert other.wait() == 0
    assert titles() == {"https://example.com/0": "as it is", "https://example.com/2": "as it was"}


def test_three_that_race_leave_what_the_store_holds(store: Store, index: tuple[str, Titles], tmp_path: Path) -> None:
    url, titles = index
    going = tmp_path / "going"
    going.touch()
    arguments = (f"sqlite:///{tmp_path / 'articles.db'}", url, str(going))
    fillers = [python(FILLS, *arguments, stdout=subprocess.PIPE) for _ in range(3)]
    for filler in fillers:
        assert filler.stdout is not None
        filler.stdout.readline()
    for moment in range(1, 61):
        record(store, moment % 7, moment, title=f"version {moment}")
        if moment % 5 == 0:
            store.withdraw(f"https://example.com/{(moment // 5) % 7}")
    going.unlink()
    for filler in fillers:
        with filler:
            assert filler.wait() == 0
    assert titles() == {entry.url: entry.article["title"] for entry in store.articles() if entry.article}
