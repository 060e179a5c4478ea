"""What has arrived and is not merged yet: every process sees it, and it is what a merge makes of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cleancrawl import open_store
from cleancrawl.stores.memory.memory_store import MemoryStore
from cleancrawl.stores.protocol import Limits
from cleancrawl.stores.sqlite import sqlite_blocks
from cleancrawl.stores.sqlite.sqlite_store import SqliteStore
from tests.stores.pages import FOOTER, SITE, article_of, prints_of, record_of, story, url_of

LINES = [f"Line {number} of those that many pages show, of {number * 7} words or so." for number in range(30)]
LONG = [line + " It is long enough to have a fingerprint, which shorter ones have not, as you see." for line in LINES]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def two(path: Path) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    first, second = SqliteStore(path), SqliteStore(path)
    yield first, second
    first.close()
    second.close()


def waiting(store: SqliteStore) -> int:
    return int(store._db.execute("SELECT count(*) FROM arrivals").fetchone()[0])


@pytest.mark.parametrize(("arrivals", "read_back"), [(64, 1000), (5, 1000), (64, 3), (1, 1)])
@pytest.mark.parametrize("sightings", [3, 65_535])
def test_turns_of_two_processes_give_what_memory_gives(
    path: Path, monkeypatch: pytest.MonkeyPatch, arrivals: int, read_back: int, sightings: int
) -> None:
    monkeypatch.setattr(sqlite_blocks, "ARRIVALS", arrivals)
    monkeypatch.setattr(sqlite_blocks, "READ_BACK", read_back)
    limits, chance = Limits(sightings=sightings), random.Random(arrivals)
    stores = [SqliteStore(path, limits), SqliteStore(path, limits)]
    memory = MemoryStore(limits)
    for number in range(120):
        url = url_of(chance.randrange(40))
        lines = (*story(number % 50), *chance.sample(LINES, 5), *chance.sample(LONG, 5), FOOTER)
        prints, store = prints_of(*lines), chance.choice(stores)
        assert store.seen(SITE, url, prints).pages == memory.seen(SITE, url, prints).pages
        article = article_of("T", url) if chance.random() < 0.7 else None
        record = record_of(url, *lines, article=article)
        store.record(record)
        memory.record(record)
    assert stores[0].info().blocks == memory.info().blocks
    assert stores[0].sites() == memory.sites()
    for store in stores:
        assert [block.pages for block in store.blocks(SITE, 1000)] == [
            block.pages for block in memory.blocks(SITE, 1000)
        ]
    assert waiting(stores[1]) == 0
    for store in stores:
        store.close()


def test_what_was_not_merged_is_there_for_the_next_process(path: Path) -> None:
    store = SqliteStore(path)
    for number in range(6):
        store.record(record_of(url_of(number), *story(number), FOOTER, article=article_of("T", str(number))))
    assert waiting(store) == 6
    store.close()
    store = SqliteStore(path)
    assert store.seen(SITE, url_of(9), prints_of(*story(9), FOOTER)).pages[-1] == 6
    store.close()


def test_a_merge_by_another_process_is_noticed(two: tuple[SqliteStore, SqliteStore]) -> None:
    first, second = two
    asked = prints_of(*story(9), FOOTER)
    for number in range(6):
        (first, second)[number % 2].record(
            record_of(url_of(number), *story(number), FOOTER, article=article_of("T", str(number)))
        )
        assert [store.seen(SITE, url_of(9), asked).pages[-1] for store in two] == [number + 1] * 2
    second.merge()
    assert waiting(first) == 0
    assert [store.seen(SITE, url_of(9), asked).pages[-1] for store in two] == [6, 6]
    assert first.prune(1e12) > 0
    assert [store.seen(SITE, url_of(9), asked).pages[-1] for store in two] == [0, 0]


def test_blocks_that_were_loaded_are_noticed(two: tuple[SqliteStore, SqliteStore], tmp_path: Path) -> None:
    first, second = two
    other = SqliteStore(tmp_path / "other.db")
    other.record(record_of(url_of(1), *story(1), FOOTER))
    second.record(record_of(url_of(2), *story(2)))
    asked = prints_of(*story(9), FOOTER)
    assert second.seen(SITE, url_of(9), asked).pages[-1] == 0
    first.load(row for row in other.dump() if row["kind"] == "block")
    assert second.seen(SITE, url_of(9), asked).pages[-1] == 1
    other.close()


def test_nothing_is_looked_up_of_a_site_that_was_seen_from_its_first_page_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_blocks, "ARRIVALS", 4)
    store, asked = SqliteStore(path), list[str]()
    store._db.set_trace_callback(asked.append)
    for number in range(10):
        store.record(record_of(url_of(number), *story(number), FOOTER, article=article_of("T", str(number))))
    assert waiting(store) == 2
    assert not [line for line in asked if "JOIN blocks" in line or "JOIN bands" in line]
    close = prints_of(story(3)[0].replace(" ", ", "), *story(50), FOOTER)
    assert store.seen(SITE, url_of(99), close).pages == [1, 0, 0, 0, 0, 10]
    store.close()
    store = SqliteStore(path)
    assert store.seen(SITE, url_of(99), close).pages == [1, 0, 0, 0, 0, 10]
    store.close()


def test_a_site_that_is_forgotten_takes_its_arrivals_along(two: tuple[SqliteStore, SqliteStore]) -> None:
    first, second = two
    first.record(record_of(url_of(1), *story(1), FOOTER))
    asked = prints_of(*story(9), FOOTER)
    assert second.seen(SITE, url_of(9), asked).pages[-1] == 1
    first.forget(SITE)
    assert waiting(first) == 0
    assert second.seen(SITE, url_of(9), asked).pages[-1] == 0
    assert second.info().blocks == 0


def test_a_record_that_fails_is_not_remembered(path: Path) -> None:
    store = SqliteStore(path)
    store.record(record_of(url_of(1), *story(1), FOOTER))
    with pytest.raises(TypeError):
        store.record(record_of(url_of(2), *story(2), FOOTER, article={"title": "T", "text": object()}))
    assert store.seen(SITE, url_of(9), prints_of(*story(2), FOOTER)).pages == [0] * len(story(2)) + [1]
    store.close()


def test_memory_of_rows_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_blocks, "REMEMBERED", 40)
    store = SqliteStore(path)
    for number in range(40):
        site = f"{number % 10}.example"
        store.record(record_of(f"https://{site}/{number}", *story(number), FOOTER, site=site))
        assert sum(len(table.rows) for table in store._tables.values()) <= 40 + len(story(0)) + 1
    assert [info.blocks for info in store.sites()] == [4 * len(story(0)) + 1] * 10
    store.close()


def test_a_dump_has_what_was_not_merged(path: Path, tmp_path: Path) -> None:
    store, copy = SqliteStore(path), open_store(f"sqlite:///{tmp_path}/copy.db")
    for number in range(3):
        store.record(record_of(url_of(number), *story(number), FOOTER, article=article_of("T", str(number))))
    copy.load(store.dump())
    asked = prints_of(*story(9), FOOTER)
    assert copy.seen(SITE, url_of(9), asked).pages[-1] == 3
    assert copy.blocks(SITE) == store.blocks(SITE)
    store.close()
    copy.close()
