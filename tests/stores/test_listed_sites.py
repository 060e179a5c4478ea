"""The list of sites: what is due, who holds it, and who may write."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from cleancrawl.errors import LeaseLost
from cleancrawl.stores.listed_sites import Fence, Fences, Lease, ListedSite, SiteRun
from cleancrawl.stores.protocol import Store, Visit
from tests.stores.conftest import OpenStore
from tests.stores.pages import NOON, SITE, article_of, record_of, story, url_of

LONG = 1000.0
SHORT = 0.02


def site_of(name: str, **more: object) -> ListedSite:
    return ListedSite(name, (f"https://{name}/",), **more)  # type: ignore[arg-type]


def names(leases: list[Lease]) -> list[str]:
    return sorted(lease.site.name for lease in leases)


def run_out(store: Store, owner: str, count: int = 1) -> list[Lease]:
    """Take what others let run out, however long that takes here."""
    found: list[Lease] = []
    while len(found) < count:
        found += store.take_sites(owner, 10, LONG)
    return found


def test_sites_are_listed_taken_and_given_back(store: Store) -> None:
    assert store.take_sites("one", 10, LONG) == []
    options = {"since": "2026-11-01", "delay": "2"}
    assert store.list_site(site_of("a.example", options=options, interval=3600.0))
    assert store.list_site(site_of("b.example"), wait=LONG)
    assert [(site.name, site.state) for site in store.listed_sites()] == [
        ("a.example", "waiting"),
        ("b.example", "waiting"),
    ]
    (lease,) = store.take_sites("one", 10, LONG)
    assert (lease.site.name, lease.site.urls, lease.site.options) == ("a.example", ("https://a.example/",), options)
    assert (lease.taken_over, lease.seconds, lease.elapsed) == (False, LONG, None)
    listed = store.listed_sites()[0]
    assert (listed.state, listed.owner, listed.due) == ("under way", "one", None)
    assert listed.until is not None
    assert listed.until > store.store_time()
    assert store.take_sites("two", 10, LONG) == []
    assert store.give_back(lease, SiteRun("finished", pages=7, articles=3, seconds=600.0))
    listed = store.listed_sites()[0]
    assert (listed.state, listed.outcome, listed.pages, listed.articles) == ("waiting", "finished", 7, 3)
    assert listed.due == pytest.approx(listed.ended + 3000.0, abs=1.0)
    assert not store.give_back(lease, SiteRun("finished"))
    assert store.take_sites("two", 10, LONG) == []
    assert store.listed_site("a.example") == listed
    assert store.listed_site("c.example") is None


def test_a_worker_takes_no_more_than_it_has_room_for_and_the_most_overdue_first(store: Store) -> None:
    for number in range(5):
        store.list_site(site_of(f"s{number}.example"), wait=-float(number))
    assert names(store.take_sites("one", 2, LONG)) == ["s3.example", "s4.example"]
    assert names(store.take_sites("two", 10, LONG)) == ["s0.example", "s1.example", "s2.example"]


def test_tokens_rise_over_all_sites(store: Store) -> None:
    store.list_site(site_of("a.example"))
    store.list_site(site_of("b.example"))
    first = store.take_sites("one", 10, LONG)
    for lease in first:
        store.give_back(lease, SiteRun("stopped", whole=False))
    again = store.take_sites("two", 10, LONG)
    assert len({lease.token for lease in first + again}) == 4
    assert max(lease.token for lease in first) < min(lease.token for lease in again)


def test_a_site_that_was_not_finished_is_due_again_and_its_rest_goes_with_it(store: Store) -> None:
    store.list_site(site_of("a.example"))
    (lease,) = store.take_sites("one", 10, LONG)
    assert lease.rest == 0
    store.give_back(lease, SiteRun("stopped", whole=False, delay=2.5, rest=LONG))
    # Also where somebody makes it due in between.
    store.list_site(site_of("a.example"))
    (lease,) = store.take_sites("two", 10, LONG)
    assert 0 < lease.rest <= LONG
    assert lease.delay == 2.5
    assert (lease.site.outcome, lease.elapsed, lease.taken_over) == ("stopped", None, False)


def test_what_comes_due_later_is_not_taken_by_one_who_asks_for_a_moment(store: Store) -> None:
    store.list_site(site_of("a.example"), wait=-60.0)
    assert store.take_sites("one", 10, LONG, before=store.store_time() - 120.0) == []
    assert names(store.take_sites("one", 10, LONG, before=store.store_time() - 30.0)) == ["a.example"]


def test_a_lease_that_is_not_renewed_runs_out(store: Store) -> None:
    store.list_site(site_of("a.example"))
    (old,) = store.take_sites("one", 10, SHORT)
    assert store.renew_leases("one", [(old.fence, 2.5)], SHORT) == {old.token}
    (new,) = run_out(store, "two")
    assert (new.taken_over, new.delay) == (True, 2.5)
    assert new.token > old.token
    assert store.renew_leases("one", [(old.fence, 2.5)], LONG) == set()
    assert not store.give_back(old, SiteRun("finished"))
    listed = store.listed_site("a.example")
    assert listed is not None
    assert listed.owner == "two"
    assert store.give_back(new, SiteRun("finished"))


def test_a_lease_that_is_renewed_does_not_run_out(store: Store) -> None:
    store.list_site(site_of("a.example"))
    (lease,) = store.take_sites("one", 10, 1.0)
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        before = time.monotonic()
        kept = store.renew_leases("one", [(lease.fence, 0.0)], 1.0)
        taken = store.take_sites("two", 10, 1.0)
        if time.monotonic() - before > 0.5:
            pytest.skip("this machine stands still for longer than a lease")
        assert (kept, taken) == ({lease.token}, [])


def test_many_leases_that_ran_out_are_all_found(store: Store) -> None:
    """However many others, which are renewed, stand before them."""
    for number in range(60):
        store.list_site(site_of(f"s{number:02}.example"))
    first = store.take_sites("one", 30, SHORT)
    gone = store.take_sites("two", 30, SHORT)
    assert (len(first), len(gone)) == (30, 30)
    found: set[str] = set()
    while len(found) < 30:
        kept = {lease.site.name for lease in first}
        store.renew_leases("one", [(lease.fence, 0.0) for lease in first], SHORT)
        found |= {name for name in names(store.take_sites("three", 4, SHORT)) if name not in kept}
    assert found == {lease.site.name for lease in gone}


def test_pausing_adding_again_and_removing(store: Store) -> None:
    store.list_site(site_of("a.example", interval=60.0))
    (lease,) = store.take_sites("one", 10, LONG)
    store.give_back(lease, SiteRun("finished", pages=4))
    assert not store.list_site(site_of("a.example", interval=60.0, paused=True), wait=None)
    (listed,) = store.listed_sites()
    assert (listed.paused, listed.due, listed.outcome, listed.pages) == (True, None, "finished", 4)
    assert not store.list_site(site_of("a.example", interval=60.0))
    (lease,) = store.take_sites("one", 10, LONG)
    # While it is under way: it keeps its owner, and is paused afterwards.
    store.list_site(site_of("a.example", paused=True))
    assert store.listed_sites()[0].owner == "one"
    assert store.take_sites("two", 10, LONG) == []
    store.give_back(lease, SiteRun("finished"))
    assert store.listed_sites()[0].due is None
    store.list_site(site_of("a.example"))
    (lease,) = store.take_sites("one", 10, LONG)
    assert store.unlist_site("a.example")
    assert not store.unlist_site("a.example")
    assert store.renew_leases("one", [(lease.fence, 0.0)], LONG) == set()
    assert not store.give_back(lease, SiteRun("finished"))
    assert store.listed_sites() == []


def test_the_due_time_stays_where_only_options_change(store: Store) -> None:
    store.list_site(site_of("a.example"), wait=LONG)
    (before,) = store.listed_sites()
    store.list_site(site_of("a.example", options={"max_pages": "5"}), wait=None)
    (after,) = store.listed_sites()
    assert (after.due, after.options) == (before.due, {"max_pages": "5"})


WRITES: dict[str, Callable[[Store], object]] = {
    "record": lambda store: store.record(record_of(url_of(1), *story(1), article=article_of("New", "New text."))),
    "hold": lambda store: store.record(record_of(url_of(2), *story(2), held=b"page")),
    "visit": lambda store: store.visit(Visit(SITE, url_of(1), NOON, 404)),
    "withdraw": lambda store: store.withdraw(url_of(1)),
    "release": lambda store: store.release(url_of(3)),
    "note": lambda store: store.set_note(SITE, "name", "text"),
}


def whole(store: Store) -> list[str]:
    return sorted(map(str, (row for row in store.dump() if row["kind"] != "listed")))


@pytest.mark.parametrize("name", WRITES)
def test_who_has_lost_a_site_cannot_write_about_it(name: str, store: Store) -> None:
    store.record(record_of(url_of(1), *story(1), article=article_of("Old", "Old text.")))
    store.record(record_of(url_of(3), *story(3), held=b"page"))
    store.list_site(site_of(SITE))
    (old,) = store.take_sites("one", 10, SHORT)
    (new,) = run_out(store, "two")
    before = whole(store)
    store.fences = Fences({SITE: old.fence})
    with pytest.raises(LeaseLost, match=SITE):
        WRITES[name](store)
    store.fences = Fences()
    with pytest.raises(LeaseLost, match=SITE):
        WRITES[name](store)
    assert whole(store) == before
    store.fences = Fences({SITE: new.fence})
    WRITES[name](store)
    assert whole(store) != before
    store.give_back(new, SiteRun("finished"))
    with pytest.raises(LeaseLost, match=SITE):
        WRITES[name](store)


def test_the_hosts_of_a_site_are_written_under_its_lease() -> None:
    fences = Fences({"a-site.com": Fence("a-site.com", 4)})
    assert fences.of("www.a-site.com") == fences.of("a-site.com") == Fence("a-site.com", 4)
    with pytest.raises(LeaseLost, match=r"b-site\.com"):
        fences.of("b-site.com")


def test_the_list_moves_with_the_store(store: Store, make_store: OpenStore) -> None:
    from cleancrawl import open_store

    store.list_site(site_of("a.example", options={"delay": "3"}, interval=60.0), wait=LONG)
    store.list_site(site_of("b.example", paused=True))
    store.list_site(site_of("c.example"))
    assert names(store.take_sites("one", 10, LONG)) == ["c.example"]
    copy = open_store("memory:")
    copy.load(store.dump())
    expected = [replace(site, owner=None, taken=None, until=None) for site in store.listed_sites()]
    # Whoever crawls a site in one store does not do so in the other.
    expected[2] = replace(expected[2], due=0.0)
    assert copy.listed_sites() == expected
