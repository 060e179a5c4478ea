"""What runs have counted is kept by every store, bounded, and survives it."""

from __future__ import annotations

import json

from cleancrawl.stores.protocol import RunRow, Store
from tests.stores.conftest import OpenStore
from tests.stores.pages import FOOTER, SITE, record_of, story, url_of


def test_counts_come_back_site_by_site_oldest_first(store: Store) -> None:
    store.record_run("b", 20.0, {"": {"name": "news"}, SITE: {"pages": 2}})
    store.record_run("a", 10.0, {SITE: {"pages": 1}, "other.example": {"pages": 5}})
    assert list(store.runs()) == [
        RunRow("", "b", 20.0, {"name": "news"}),
        RunRow("other.example", "a", 10.0, {"pages": 5}),
        RunRow(SITE, "a", 10.0, {"pages": 1}),
        RunRow(SITE, "b", 20.0, {"pages": 2}),
    ]
    assert [row.run for row in store.runs(since=15.0)] == ["b", "b"]


def test_a_run_writes_over_what_it_wrote_before(store: Store) -> None:
    store.record_run("a", 10.0, {SITE: {"pages": 1}, "": {"seconds": 1}})
    store.record_run("a", 10.0, {SITE: {"pages": 7, "dropped": {"listing": [1, "https://a.example/ü"]}}})
    site_row = [row for row in store.runs() if row.site == SITE]
    assert site_row == [RunRow(SITE, "a", 10.0, {"pages": 7, "dropped": {"listing": [1, "https://a.example/ü"]}})]
    assert len(list(store.runs())) == 2


def test_only_the_newest_runs_of_a_site_are_kept(make_store: OpenStore) -> None:
    store = make_store(runs_per_site=3)
    for number in (5, 1, 4, 2, 3, 6):
        store.record_run(f"run {number}", float(number), {SITE: {"pages": number}})
    store.record_run("run 0", 0.0, {"other.example": {"pages": 1}})
    assert [(row.site, row.started) for row in store.runs()] == [
        ("other.example", 0.0),
        *((SITE, n) for n in (4, 5, 6)),
    ]


def test_many_sites_are_read_in_order(store: Store) -> None:
    names = sorted(f"site-{number}.example" for number in range(1203))
    store.record_run("a", 10.0, {name: {"pages": 1} for name in names})
    assert [row.site for row in store.runs()] == names


def test_a_forgotten_site_has_no_runs(store: Store) -> None:
    store.record(record_of(url_of(1), *story(1), FOOTER))
    store.record_run("a", 10.0, {SITE: {"pages": 1}, "other.example": {"pages": 1}})
    store.forget(SITE)
    assert [row.site for row in store.runs()] == ["other.example"]


def test_runs_are_dumped_and_loaded(store: Store, make_store: OpenStore) -> None:
    store.record_run("a", 10.0, {"": {}, SITE: {"pages": 1}})
    store.record_run("b", 11.5, {SITE: {"pages": 2, "sentences": [["Log in to comment.", 9]]}})
    rows = [json.loads(json.dumps(row)) for row in store.dump() if row["kind"] in ("store", "run")]
    before = list(store.runs())
    store.forget(SITE)
    store.forget("")
    assert list(store.runs()) == []
    store.load(rows)
    assert list(store.runs()) == before
