"""Bounds, forgetting, looking in, moving elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl import StoreError, StoreVersionError, open_store
from cleancrawl.errors import ConfigError
from cleancrawl.stores.protocol import Store, Visit
from tests.stores.conftest import OpenStore
from tests.stores.pages import FOOTER, NOON, SITE, article_of, prints_of, record_of, signature_of, story, url_of


def fill(store: Store) -> None:
    for number in range(1, 6):
        lines = (*story(number), FOOTER)
        article = article_of(f"Title {number}")
        store.record(
            record_of(url_of(number), *lines, article=article, signature=signature_of(number), fetched=NOON + number)
        )
    store.record(record_of("https://other.example/1", *story(50), FOOTER, site="other.example", held=b"\x00held"))
    store.set_cursor("search", 3)
    store.began()
    store.withdraw(url_of(5))
    store.visit(Visit(SITE, url_of(5), NOON + 5, status=404, reason="gone"))


def test_info(store: Store) -> None:
    fill(store)
    info = store.info()
    assert (info.sites, info.pages, info.articles, info.held) == (2, 6, 4, 1)
    assert info.blocks == 5 * 4 + 1 + 5
    assert info.bytes > 0


def test_sites(store: Store) -> None:
    fill(store)
    other, portal = store.sites()
    assert (other.site, other.pages, other.urls, other.articles, other.blocks, other.held) == (
        "other.example",
        1,
        1,
        0,
        5,
        1,
    )
    assert (portal.site, portal.pages, portal.urls, portal.articles, portal.held) == (SITE, 5, 5, 4, 0)
    assert portal.last_fetched == NOON + 5


def test_articles_are_counted_by_site(store: Store) -> None:
    assert store.article_counts() == {}
    fill(store)
    store.record(record_of("https://other.example/2", *story(60), site="other.example", article=article_of("T")))
    assert store.article_counts() == {SITE: 4, "other.example": 1}
    store.withdraw("https://other.example/2")
    assert store.article_counts() == {SITE: 4}
    # A page that is back, and one that is another one now.
    store.record(record_of(url_of(5), *story(5), article=article_of("Back")))
    store.record(record_of(url_of(1), *story(70), article=article_of("New")))
    assert store.article_counts() == {SITE: 5}


def test_the_noisiest_blocks(store: Store) -> None:
    fill(store)
    first, second = store.blocks(SITE, limit=2)
    assert (first.text, first.pages, first.articles, first.last_seen) == (FOOTER, 5, 5, NOON + 5)
    assert (second.text, second.pages) == ("", 1)
    assert store.blocks("unknown.example") == []


def test_prune_forgets_what_was_not_seen_again(store: Store) -> None:
    fill(store)
    assert store.prune(NOON + 3) == 2 * 4 + 5
    assert [block.pages for block in store.blocks(SITE, 2)] == [5, 1]
    assert store.seen(SITE, url_of("new"), prints_of(*story(1))).pages == [0] * 4
    assert store.info().blocks == 3 * 4 + 1
    assert store.prune(0) == 0


def test_forget_a_site(store: Store) -> None:
    fill(store)
    assert store.forget(SITE) == 5
    assert store.forget("unknown.example") == 0
    assert [site.site for site in store.sites()] == ["other.example"]
    assert store.articles() == []
    assert store.candidates([1]) == []
    assert store.site_pages(SITE) == 0
    store.record(record_of(url_of(1), *story(1), FOOTER, article=article_of("T")))
    assert store.site_pages(SITE) == 1


def test_a_site_has_a_maximum_of_blocks(make_store: OpenStore) -> None:
    store = make_store(blocks_per_site=100)
    for number in range(40):
        store.record(record_of(url_of(number), *story(number), FOOTER, fetched=NOON + number))
        assert store.info().blocks <= 100
    # The rarest and oldest go; what is on every page and what is new stay.
    assert store.blocks(SITE, 1)[0].pages == 40
    other = prints_of(*story(0, 1), *story(39, 1), FOOTER, *story(99, 9))
    assert list(store.seen(SITE, url_of("new"), other).pages[:3]) == [0, 1, 40]
    store.record(record_of(url_of(0), *story(0), FOOTER, fetched=NOON + 50))
    assert store.blocks(SITE, 1)[0].pages == 40


def test_counts_and_pages_are_bounded(make_store: OpenStore) -> None:
    store = make_store(sightings=5, page_blocks=50)
    for number in range(10):
        store.record(record_of(url_of(number), *story(number), FOOTER))
    assert store.blocks(SITE, 1)[0].pages == 5
    for minute in range(30):
        store.record(record_of(url_of("live"), *story(100 + minute), FOOTER, fetched=NOON + minute))
    assert store.site_pages(SITE) == 11


@pytest.mark.parametrize("target", ["memory", "sqlite", "redis"])
def test_a_dump_gives_the_same_store(store: Store, target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    fill(store)
    rows = [json.loads(json.dumps(row)) for row in store.dump()]
    urls = {"memory": "memory:", "sqlite": f"sqlite:///{tmp_path}/copy.db"}
    copy = open_store(urls.get(target) or request.getfixturevalue("redis_url") + "copy:")
    assert copy.load(rows) == len(rows)
    key = lambda row: json.dumps(row, sort_keys=True)  # noqa: E731
    assert sorted(copy.dump(), key=key) == sorted(rows, key=key)
    again = prints_of(*story(1), FOOTER)
    assert copy.seen(SITE, url_of(1), again) == store.seen(SITE, url_of(1), again)
    assert copy.site_pages(SITE) == 5
    assert copy.cursor("search") == 3
    assert copy.began() == store.began()
    assert copy.page_states([url_of(1)]) == store.page_states([url_of(1)])
    assert copy.holds() == store.holds()
    assert copy.candidates([2]) == store.candidates([2])
    assert copy.article(url_of(5)) == store.article(url_of(5))
    assert copy.stale(SITE, NOON + 9) == store.stale(SITE, NOON + 9)
    recorded = copy.record(record_of(url_of(9), *story(9), FOOTER, article=article_of("T")))
    assert recorded.cursor == store.articles()[-1].cursor + 1
    copy.close()


def test_a_dump_of_an_earlier_version_is_read(store: Store) -> None:
    fill(store)
    later = {"url": "misses", "article": "was"}
    rows = [{name: row[name] for name in row if name != later.get(row["kind"])} for row in store.dump()]
    rows[0]["version"] = 1
    copy = open_store("memory:")
    assert copy.load(rows) == len(rows)
    assert copy.page_states([url_of(5)])[url_of(5)].misses == 0
    copy.close()


def test_samples_are_short_and_can_be_moved_to_any_store(store: Store, tmp_path: Path) -> None:
    line = "half a character \ud83d " + "and more words " * 40
    for number in range(2):
        store.record(record_of(url_of(number), *story(number), line))
    (block,) = store.blocks(SITE, 1)
    assert block.text == line[:200].replace("\ud83d", "?")
    copy = open_store(f"sqlite:///{tmp_path}/copy.db")
    copy.load(json.loads(json.dumps(row)) for row in store.dump())
    assert copy.blocks(SITE, 1) == [block]
    copy.close()


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"kind": "store", "version": 99}, "version 99"),
        ({"kind": "poem"}, "a row of kind 'poem'"),
        ({"kind": "held", "url": "x"}, "without 'site'"),
        ("text", "a row of kind None"),
    ],
)
def test_what_is_no_dump(store: Store, row: object, error: str) -> None:
    with pytest.raises(StoreError, match=error):
        store.load([row])  # type: ignore[list-item]
    assert issubclass(StoreVersionError, StoreError)


@pytest.mark.parametrize("url", ["", "memory", "mysql://x", "memory:name", "sqlite:", "sqlite:///", "sqlite://x"])
def test_urls_that_name_no_store(url: str) -> None:
    with pytest.raises(ConfigError):
        open_store(url)


def test_closing_twice(store: Store) -> None:
    store.close()
    store.close()
