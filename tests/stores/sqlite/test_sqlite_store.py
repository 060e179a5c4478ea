"""What is peculiar to a store in a file."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from cleancrawl import StoreError, StoreVersionError, open_store
from cleancrawl.stores.sqlite.sqlite_schema import VERSION, prepare
from cleancrawl.stores.sqlite.sqlite_store import SqliteStore
from tests.stores.pages import FOOTER, SITE, article_of, prints_of, record_of, story, url_of

LATER_COLUMNS = (
    ("articles", "kept"),
    ("articles", "was"),
    ("pages", "misses"),
    ("blocks", "sections"),
    ("blocks", "squares"),
    ("sites", "arrived"),
    ("sites", "merged"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def test_a_newer_file_is_refused(path: Path) -> None:
    SqliteStore(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StoreVersionError, match=f"has version {VERSION + 1}, this cleancrawl knows {VERSION}"):
        SqliteStore(path)


def test_an_older_file_is_brought_up_to_date(path: Path) -> None:
    store = SqliteStore(path)
    store.record(record_of(url_of(1), *story(1), FOOTER, held=b"response"))
    store.close()
    connection = sqlite3.connect(path)
    connection.execute("DROP INDEX held_since")
    for table, column in LATER_COLUMNS:
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    for table in ("listed", "leases", "arrivals"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    store = SqliteStore(path)
    assert [page.response for page in store.held()] == [b"response"]
    assert store.page_states([url_of(1)])[url_of(1)].misses == 0
    assert store.listed_sites() == []
    store.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'held_since'").fetchone()
    connection.close()


def test_other_files_are_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE poems (text)")
    connection.close()
    with pytest.raises(StoreError, match="not a store of cleancrawl"):
        SqliteStore(path)
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="not a database"):
        SqliteStore(path)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        open_store(f"sqlite:///{tmp_path}/file/store.db")


def test_readers_see_what_is_there_while_another_writes(path: Path) -> None:
    writer, reader = SqliteStore(path), SqliteStore(path)
    writer.record(record_of(url_of(1), *story(1), FOOTER))
    with writer._writing() as connection:
        connection.execute("UPDATE sites SET pages = 99")
        assert reader.site_pages(SITE) == 1
        assert reader.seen(SITE, url_of(2), prints_of(*story(2), FOOTER)).site_pages == 1
    assert reader.site_pages(SITE) == 99
    writer.close()
    reader.close()


def test_what_fails_leaves_nothing_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(path)
    with pytest.raises(TypeError):
        store.record(record_of(url_of(1), *story(1), FOOTER, article={"title": "T", "text": object()}))
    assert store.site_pages(SITE) == 0
    assert store.info().blocks == 0
    assert store.record(record_of(url_of(1), *story(1), FOOTER, article=article_of("T"))).version == 1
    store.close()


FILL = textwrap.dedent("""
    import resource, signal, sys
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    from cleancrawl import StoreError, open_store
    from tests.stores.pages import *
    store = open_store(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
    try:
        for number in range(10_000):
            store.record(record_of(url_of(number), *story(number), FOOTER, article=article_of("T", "x" * 5000)))
    except StoreError as error:
        print(number, error)
        print(len(store.articles(limit=100_000)))
""")


def test_a_full_disk(path: Path) -> None:
    """The limit on the size of a file stands for the disk: the same call fails, for the same reason to SQLite."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", FILL, f"sqlite:///{path}"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    recorded, _, message = first.partition(" ")
    assert message.startswith(f"store {path}: ")
    assert int(recorded) > 5
    # Readable at once, and by the next process, with all that was recorded and nothing by half.
    assert int(second) == int(recorded)
    store = SqliteStore(path)
    assert len(store.articles(limit=100_000)) == int(recorded) == store.site_pages(SITE)
    assert store.record(record_of(url_of("more"), *story(99_999), FOOTER)).version == 0
    store.close()
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1_000_000


COUNT = textwrap.dedent("""
    import sys
    from cleancrawl import open_store
    from tests.stores.pages import *
    store, worker = open_store(sys.argv[1]), int(sys.argv[2])
    for number in range(25):
        mine, shared = f"https://{worker}.example/{number}", url_of(number)
        text = story(1000 * worker + number)
        store.record(record_of(mine, *text, FOOTER, site=f"{worker}.example", article=article_of("T", mine)))
        lines = (*story(number), FOOTER)
        store.seen(SITE, shared, prints_of(*lines))
        store.record(record_of(shared, *lines, article=article_of("T", shared)))
    store.close()
""")


@pytest.mark.parametrize("store_url", ["sqlite", "redis"], indirect=True)
def test_four_processes_on_one_store(store_url: str) -> None:
    """Each its own site, and all of them the same pages of one more."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    workers = [
        subprocess.Popen([sys.executable, "-c", COUNT, store_url, str(worker)], env=environment, stderr=subprocess.PIPE)
        for worker in range(4)
    ]
    for worker in workers:
        _, errors = worker.communicate()
        assert worker.returncode == 0, errors.decode()
    store = open_store(store_url)
    assert {site.site: (site.pages, site.urls, site.articles) for site in store.sites()} == {
        SITE: (25, 25, 25),
        **{f"{worker}.example": (25, 25, 25) for worker in range(4)},
    }
    for site in store.sites():
        assert [block.pages for block in store.blocks(site.site, 2)] == [25, 1]
    entries = store.articles(limit=1000)
    assert len({entry.url for entry in entries}) == len(entries) == 125
    assert all(entry.version == 1 for entry in entries)
    store.close()


@pytest.mark.parametrize("moment", ["sqlite_master", "application_id", "user_version"])
def test_another_process_makes_the_file_at_the_same_time(path: Path, moment: str) -> None:
    made = []

    def make(statement: str) -> None:
        if moment in statement and not made:
            SqliteStore(path).close()
            made.append(statement)

    connection = sqlite3.connect(path, isolation_level=None)
    connection.set_trace_callback(make)
    prepare(connection, "store.db")
    assert made
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.close()
