"""The look-up by fingerprint against the plain comparison of all with all."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cleancrawl.core.fingerprints.simhash import hamming
from cleancrawl.stores.memory.block_index import BlockIndex
from cleancrawl.stores.protocol import PageRecord, Store, Visit
from tests.stores.pages import NOON, raw_prints, url_of

numbers = st.integers(0, 2**64 - 1)
flips = st.sets(st.integers(0, 63), max_size=5)
_site = count()


def flipped(value: int, bits: set[int]) -> int:
    for place in bits:
        value ^= 1 << place
    return value


@st.composite
def stored_and_asked(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Fingerprints close to a few centres: random ones would never come near each other."""
    centres = draw(st.lists(numbers, min_size=1, max_size=4))
    near = st.builds(flipped, st.sampled_from(centres), flips)
    return draw(st.lists(near, min_size=1, max_size=25)), draw(st.lists(near, min_size=1, max_size=10))


@given(stored_and_asked())
@settings(max_examples=150, deadline=None)
def test_the_index_finds_all_within_three_bits_and_no_other(case: tuple[list[int], list[int]]) -> None:
    stored, asked = case
    index = BlockIndex()
    for number, near in enumerate(stored):
        index.add([number], [near], True, number + 1, 0)
    for near, rows in zip(asked, index.find_near(asked), strict=True):
        assert rows.tolist() == [row for row, other in enumerate(stored) if hamming(near, other) <= 3]


@given(case=stored_and_asked())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_store_finds_all_within_three_bits_and_no_other(store: Store, case: tuple[list[int], list[int]]) -> None:
    stored, asked = case
    site = f"site{next(_site)}.example"
    for number, near in enumerate(stored):
        visit = Visit(site, url_of(f"{site}/{number}"), NOON)
        store.record(PageRecord(visit, raw_prints((number, near)), 0, [0]))
    known = store.seen(site, url_of("new"), raw_prints(*((2**63 + i, near) for i, near in enumerate(asked))))
    for near, sources, pages in zip(asked, known.sources, known.pages, strict=True):
        expected = [number for number, other in enumerate(stored) if hamming(near, other) <= 3]
        assert pages == len(expected)
        assert len(sources) == len(expected)


@given(st.lists(st.lists(numbers, max_size=40, unique=True), max_size=12), st.lists(numbers, max_size=20))
@settings(max_examples=60, deadline=None)
def test_the_index_finds_keys_as_a_dictionary_does(batches: list[list[int]], asked: list[int]) -> None:
    index, rows = BlockIndex(), dict[int, int]()
    for page, batch in enumerate(batches):
        new = [key for key in batch if key not in rows]
        rows.update({key: len(rows) + place for place, key in enumerate(new)})
        index.add(new, [None] * len(new), True, page, page)
    wanted = asked + list(rows)
    assert index.find(wanted).tolist() == [rows.get(key, -1) for key in wanted]


def test_the_index_grows_and_shrinks() -> None:
    index = BlockIndex()
    keys = [key * 0x9E3779B97F4A7C15 % 2**64 for key in range(1, 3001)]
    index.add(keys[:2000], keys[:2000], True, 1, 5)
    for start in range(2000, 3000, 10):
        index.add(keys[start : start + 10], keys[start : start + 10], False, 2, 6)
    assert index.find(keys).tolist() == list(range(3000))
    assert all(row in found for row, found in enumerate(index.find_near(keys)))
    kept = index.seen[: index.size] == 6
    index.keep(kept)
    assert index.size == 1000
    assert index.find(keys).tolist() == [-1] * 2000 + list(range(1000))
    assert [found.tolist() for found in index.find_near(keys[2000:2003])] == [[0], [1], [2]]
    assert index.find_near([]) == []


@pytest.mark.parametrize("near", [0, 2**64 - 1, 1 << 63])
def test_edges_of_the_range(store: Store, near: int) -> None:
    for number in range(3):
        visit = Visit("edge.example", url_of(number), NOON)
        store.record(PageRecord(visit, raw_prints((number, near ^ 1 << number)), 0, [0]))
    assert list(store.seen("edge.example", url_of("new"), raw_prints((2**64 - 1, near))).pages) == [3]
