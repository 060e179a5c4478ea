"""What is known of a site's blocks, in memory: in Python and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.stores.page_rules import Sighting
from cleancrawl.stores.sqlite.site_rows import RowsInPython, in_bands
from tests.twins import twins

both = pytest.mark.parametrize("rows_of", twins(RowsInPython, "site_rows", "Rows"))


def sightings(rows: Any, *keys: int) -> list[Sighting | None]:
    found: list[Sighting | None] = rows.sightings(keys, Sighting._make)
    return found


@both
def test_rows_are_counted_and_written_once(rows_of: Any) -> None:
    rows = rows_of()
    assert rows.missing([5, -6, 5]) == [5, -6, 5]
    rows.absent([5, -6])
    rows.put([(7, 2, 1, 3, 4, 10, 60, 100, 1)])
    assert (rows.missing([5, 7, 8]), len(rows)) == ([8], 3)
    assert rows.parted([5, 7, 8]) == ([7], [5, 8])
    rows.add_new(9, 1000, True, [-6, 5], [77], [0, 3])
    rows.count([7, 8], [4, 4], 9, 1000, True, 3)
    assert sightings(rows, -6, 5, 7, 8) == [
        *(Sighting(-6, 1, 0, 9, 9), Sighting(5, 1, 0, 9, 9, 3, 9), Sighting(7, 3, 1, 3, 9, 14, 76), None),
    ]
    assert rows.to_write(new=True).T.tolist() == [
        [-6, 77, 1, 1, 0, 9, 9, 0, 0, 1000],
        [5, 0, 0, 1, 0, 9, 9, 3, 9, 1000],
    ]
    assert rows.to_write(new=False).T.tolist() == [[7, 0, 0, 3, 1, 3, 9, 14, 76, 1000]]
    rows.settle(True)
    assert [rows.to_write(new=new).shape for new in (True, False)] == [(10, 0), (10, 0)]
    rows.count([5, 7], [2, 2], 10, 900, True, 3)
    rows.move([-6], [0], False)
    # Seen last when it was seen last, counted no more at the most.
    assert rows.to_write(new=False)[3:].T.tolist() == [
        *([0, 1, 9, 9, 0, 0, 1000], [2, 0, 9, 10, 5, 13, 1000], [3, 1, 3, 10, 14, 76, 1000]),
    ]


@both
def test_samples_and_moments_are_told(rows_of: Any) -> None:
    rows = rows_of()
    rows.put([(1, 1, 0, 1, 1, 0, 0, 100, 1), (2, 1, 0, 1, 1, 0, 0, 200, 0)])
    assert rows.unsampled([1, 2]) == [2]
    rows.has_samples([2, 3])
    assert rows.unsampled([1, 2]) == []
    assert (rows.long_ago([1, 2, 3], 200), rows.long_ago([1, 2], 100)) == ([1], [])
    rows.seen_again([1, 3], 300)
    assert rows.to_write(new=False)[[0, 9]].T.tolist() == [[1, 300]]


@both
def test_fingerprints_are_found_by_a_band_until_they_are_written(rows_of: Any) -> None:
    rows = rows_of()
    near = 0x1111_2222_3333_4444
    rows.add_new(1, 0, True, [5, 6], [near, near ^ 1 << 60], [0, 0])
    asked = [near ^ 0x1_0001, near ^ 0x1_0001_0001_0001, near ^ 7 << 60]
    assert sorted(rows.near_pairs(asked, 3)) == [(0, 5), (0, 6), (2, 5), (2, 6)]
    assert rows.near_pairs([near], 0) == [(0, 5)]
    assert rows.new_prints().tolist() == [[near, near ^ 1 << 60], [5, 6]]
    rows.settle(True)
    assert rows.new_prints().shape == (2, 0)
    assert rows.near_pairs([near], 0) == [(0, 5)]
    rows.settle(False)
    assert rows.near_pairs([near], 3) == []
    rows.add_new(2, 0, True, [7], [near], [0])
    assert rows.near_pairs([near], 3) == [(0, 7)]


def test_bands_of_no_fingerprints() -> None:
    assert in_bands(np.zeros((2, 0), dtype=np.int64), 1 << 18) == ([], [], [])


KEYS = st.lists(st.sampled_from([*range(-9, 9), 2**63 - 1, -(2**63)]), max_size=6, unique=True)
NEARS = st.sampled_from([0, 1, 3, 1 << 16, 7 << 40, -1, -(2**63), 2**63 - 1, 0x1234_5678_9ABC_DEF0])
NAMES = st.sampled_from(["new", "count", "move", "seen", "put", "settle", "drop"])
STEPS = st.lists(st.tuples(NAMES, KEYS, st.lists(NEARS), st.booleans()), max_size=12)


@pytest.mark.skipif(compiled("site_rows") is None, reason=f"compiled part site_rows: {why_not('site_rows')}")
@settings(deadline=None)
@given(STEPS, st.integers(1, 3))
def test_both_ways_agree(steps: list[tuple[str, list[int], list[int], bool]], most: int) -> None:
    pair: list[Any] = [RowsInPython(), compiled("site_rows").Rows()]  # type: ignore[union-attr]
    for page, (name, keys, nears, article) in enumerate(steps, 1):
        for rows in pair:
            known, new = rows.parted(keys)
            sections = [key & 3 if article else 0 for key in keys]
            if name == "new":
                rows.add_new(page, 10 * page, article, new, nears[: len(new)], [key & 3 for key in new])
            elif name == "count":
                rows.count(keys, sections, page, 5 * page, article, most)
            elif name == "move":
                rows.move(known, sections[: len(known)], article)
            elif name == "seen":
                rows.seen_again(rows.long_ago(keys, 8 * page), 8 * page)
            elif name == "put":
                missing = rows.missing(keys)
                rows.absent(missing)
                rows.put([(key, 2, 0, 1, 1, 5, 13, 9, article) for key in missing[::2]])
            else:
                rows.settle(name == "settle")
        one, other = pair
        asked = [*range(-9, 9), 2**63 - 1, -(2**63)]
        assert len(one) == len(other)
        assert sightings(one, *asked) == sightings(other, *asked)
        assert [one.missing(asked), one.unsampled(asked)] == [other.missing(asked), other.unsampled(asked)]
        assert sorted(one.near_pairs(nears, 3)) == sorted(other.near_pairs(nears, 3))
        assert one.new_prints().tolist() == other.new_prints().tolist()
        assert one.to_write(new=True).tolist() == other.to_write(new=True).tolist()
        assert (
            one.to_write(new=False)[[0, *range(3, 10)]].tolist()
            == other.to_write(new=False)[[0, *range(3, 10)]].tolist()
        )
