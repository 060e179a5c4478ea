"""Which lists are content as a whole, in Python and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.html.tags import tag_ids
from cleancrawl.methods.learned import whole_lists
from cleancrawl.methods.learned.whole_lists import WholeLists, content_lists_in_python
from tests.twins import twins

Found = list[tuple[int, int, float]]
Blocks = list[tuple[int, int, bool, float]]
"""Words, those in links, whether it is kept, and the score."""

UL, TABLE, DIV = (tag_ids(name)[0] for name in ("ul", "table", "div"))
_compiled = twins(content_lists_in_python, "whole_lists", "content_lists")
_TEXT = (20, 0, True, 0.9)


def called(find: Callable[..., Found], containers: list[tuple[int, int, int]], blocks: Blocks) -> Found:
    tag, first, end = np.array(containers, dtype=np.int64).reshape(-1, 3).T
    words, links, kept, scores = zip(*blocks, strict=True) if blocks else ((), (), (), ())
    bars = WholeLists()
    columns: list[Any] = [tag, first, end, np.array(words, np.int64), np.array(links, np.int64), np.array(kept, bool)]
    return find(
        *columns,
        np.array(scores, np.float64),
        whole_lists._IS_LIST,
        whole_lists._IS_TABLE,
        bars.prose,
        bars.reach,
        bars.min_cells,
        bars.max_link_share,
        bars.max_share,
        bars.whole,
        bars.whole_table,
    )


@pytest.mark.parametrize("find", _compiled)
def test_the_outermost_lists_that_score_enough_are_found(find: Callable[..., Found]) -> None:
    items: Blocks = [(2, 0, True, 0.9), (1, 0, False, 0.2), (1, 0, False, 0.3)]
    blocks = [_TEXT, *items, _TEXT]
    assert called(find, [(DIV, 0, 5), (UL, 1, 4), (UL, 2, 4)], blocks) == [(1, 4, pytest.approx(0.575))]
    # Kept as a whole, mostly links, most of the page, and no list of several.
    assert called(find, [(UL, 0, 2), (UL, 2, 3)], [_TEXT, _TEXT, (1, 0, False, 0.9)]) == []
    assert called(find, [(UL, 1, 3)], [_TEXT, (2, 1, True, 0.9), (2, 1, False, 0.9)]) == []
    assert called(find, [(UL, 0, 2)], [(20, 0, True, 0.9), (3, 0, False, 0.9)]) == []
    assert called(find, [(UL, 0, 2)], [(2, 0, False, 0.9), (3, 0, False, 0.9)]) == []
    assert called(find, [], []) == []


@pytest.mark.parametrize("find", _compiled)
def test_less_will_do_for_a_table_between_paragraphs(find: Callable[..., Found]) -> None:
    cells: Blocks = [(1, 0, True, 0.4), (1, 0, False, 0.2)]
    assert called(find, [(TABLE, 1, 3)], [_TEXT, *cells, _TEXT]) == [(1, 3, pytest.approx(0.3))]
    assert called(find, [(TABLE, 1, 3)], [_TEXT, *cells]) == called(find, [(UL, 1, 3)], [_TEXT, *cells, _TEXT]) == []


_BLOCK = st.tuples(
    st.integers(0, 30), st.integers(0, 10), st.booleans(), st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.95])
)


@given(
    st.lists(_BLOCK, max_size=12),
    st.lists(st.tuples(st.sampled_from([UL, TABLE, DIV]), st.integers(0, 12), st.integers(0, 12)), max_size=8),
)
def test_both_ways_agree(blocks: Blocks, containers: list[tuple[int, int, int]]) -> None:
    ends = [(tag, *sorted((min(one, len(blocks)), min(other, len(blocks))))) for tag, one, other in containers]
    ordered = sorted(ends, key=lambda one: (one[1], -one[2]))
    python, *compiled = (called(find, ordered, blocks) for (find,) in (one.values for one in _compiled) if find)
    assert all(found == python for found in compiled)
