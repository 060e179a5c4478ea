"""What a worker believes of its leases, by a clock that the tests set."""

from __future__ import annotations

from typing import Any

from cleancrawl.scale.leases import AT_ONCE, RENEWALS, TRUSTED, Held, Leases
from cleancrawl.stores.listed_sites import ListedSite, SiteRun
from cleancrawl.stores.memory.memory_store import MemoryStore
from cleancrawl.stores.protocol import Store

SECONDS = 1000.0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def leases_of(store: Store, clock: Clock, room: int = 10, seconds: float = SECONDS) -> tuple[Leases, list[str]]:
    leases, lost = Leases(store, room, seconds, clock=clock), list[str]()

    def note(held: Held, domains: list[str]) -> None:
        assert domains[0] == held.name
        lost.append(held.name)

    leases.lost = note
    return leases, lost


def store_of(count: int) -> MemoryStore:
    store = MemoryStore()
    for number in range(count):
        store.list_site(ListedSite(f"s{number}.example", (f"https://s{number}.example/",)))
    return store


def test_a_worker_takes_a_few_at_a_time_and_no_more_than_fit() -> None:
    leases, _ = leases_of(store_of(20), Clock(), room=AT_ONCE + 2)
    assert [len(leases.take()) for _ in range(3)] == [AT_ONCE, 2, 0]


def test_a_lease_is_trusted_for_a_part_of_its_length_and_then_asked_about() -> None:
    store, clock = store_of(1), Clock()
    leases, lost = leases_of(store, clock)
    (held,) = leases.take()
    name = held.name
    store._leases[name].token = -1  # another worker has it
    clock.now = TRUSTED * SECONDS - 1
    assert leases.holds(held.token)
    clock.now += 2
    assert not leases.holds(held.token)
    assert (lost, leases.of_site(name), leases.fences) == ([name], None, {})
    assert not leases.holds(held.token)
    assert lost == [name]


def test_an_answer_that_is_old_when_it_is_read_counts_for_nothing() -> None:
    """The worker stood still between the store's answer and its reading."""
    store, clock = store_of(1), Clock()
    leases, lost = leases_of(store, clock)
    (held,) = leases.take()
    renew, asked = store.renew_leases, list[float]()

    def slowly(*arguments: Any) -> set[int]:
        kept = renew(*arguments)
        asked.append(clock.now)
        if len(asked) == 1:
            clock.now += 2 * SECONDS
            store._leases[held.name].token = -1  # another worker has it
        return kept

    store.renew_leases = slowly  # type: ignore[method-assign]
    clock.now = SECONDS
    assert not leases.holds(held.token)
    assert (len(asked), lost) == (2, [held.name])


def test_renewing_makes_a_lease_good_again() -> None:
    store, clock = store_of(2), Clock()
    leases, lost = leases_of(store, clock)
    first, second = leases.take()
    clock.now = SECONDS / RENEWALS - 1
    before = store._leases[first.name].until
    leases.renew_in_time()
    assert store._leases[first.name].until == before
    clock.now += 2
    first.delay = 7.0
    leases.renew_in_time()
    assert store._leases[first.name].until > before
    assert store._leases[first.name].delay == 7.0
    clock.now += TRUSTED * SECONDS - 2
    assert leases.holds(first.token)
    assert leases.holds(second.token)
    assert not lost


def test_a_worker_that_takes_over_from_itself_drops_what_it_had() -> None:
    store = store_of(1)
    leases, lost = leases_of(store, Clock())
    (old,) = leases.take()
    store._leases[old.name].until = 0.0
    (new,) = leases.take()
    assert (lost, list(leases.held)) == ([old.name], [new.token])
    assert leases.of_site(new.name) is new


def test_a_domain_that_a_site_has_moved_to_is_a_part_of_it_unless_it_is_listed() -> None:
    store = store_of(2)
    leases, _ = leases_of(store, Clock())
    first, second = leases.take()
    assert leases.adopt("moved-site.com", first)
    assert leases.adopt("moved-site.com", first)
    assert not leases.adopt("moved-site.com", second)
    store.list_site(ListedSite("third.example", ()), wait=100.0)
    assert not leases.adopt("third.example", first)
    assert leases.of_site("www.moved-site.com") is first
    assert leases.give_back(first, SiteRun("finished")) == [first.name, "moved-site.com"]
    assert leases.of_site("moved-site.com") is None


def test_all_leases_have_the_length_that_was_agreed_on() -> None:
    assert leases_of(store_of(1), Clock(), seconds=30.0)[0].take()[0].lease.seconds == 30.0
