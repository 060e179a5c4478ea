"""The outbox from its end, and what articles said before: the same in every store."""

from __future__ import annotations

from cleancrawl.stores.earlier_versions import CHARACTERS, KEPT, earlier_versions, keep_version
from cleancrawl.stores.protocol import Store, StoredArticle
from tests.stores.pages import NOON, SITE, article_of, record_of, story, url_of


def fill(store: Store) -> None:
    for number in range(7):
        site = SITE if number % 2 else "other.example"
        record = record_of(url_of(number), *story(number), site=site, article=article_of(f"Story {number}"))
        store.record(record)


def test_the_newest_come_first_page_by_page(store: Store) -> None:
    fill(store)
    store.withdraw(url_of(3))
    first = store.newest(limit=3)
    assert [entry.url for entry in first] == [url_of(3), url_of(6), url_of(5)]
    assert first[0].article is None
    assert first[1].article == article_of("Story 6")
    second = store.newest(first[-1].cursor, limit=10)
    assert [entry.url for entry in second] == [url_of(number) for number in (4, 2, 1, 0)]
    assert store.newest(second[-1].cursor) == []
    assert [entry.url for entry in store.newest(site="other.example", limit=2)] == [url_of(6), url_of(4)]
    assert store.newest(site="unknown.example") == []


def entry_of(version: int, text: str) -> StoredArticle:
    return StoredArticle(version, url_of(1), SITE, version, None, NOON + version, article_of(f"Title {version}", text))


def test_the_last_few_versions_are_kept(store: Store) -> None:
    for version in range(1, 9):
        keep_version(store, entry_of(version, f"Text {version} \ud83d"))
        keep_version(store, entry_of(version, f"Text {version} \ud83d"))
    kept = earlier_versions(store, SITE, url_of(1))
    assert [one.version for one in kept] == list(range(9 - KEPT, 9))
    assert (kept[-1].title, kept[-1].text, kept[-1].recorded) == ("Title 8", "Text 8 ?", NOON + 8)
    assert earlier_versions(store, SITE, url_of(2)) == []
    store.forget(SITE)
    assert earlier_versions(store, SITE, url_of(1)) == []


def test_versions_are_bounded_in_size(store: Store) -> None:
    for version in range(1, 4):
        keep_version(store, entry_of(version, "x" * (CHARACTERS // 2)))
    assert [one.version for one in earlier_versions(store, SITE, url_of(1))] == [2, 3]
    keep_version(store, entry_of(4, "x" * (CHARACTERS + 1)))
    assert earlier_versions(store, SITE, url_of(1)) == []
