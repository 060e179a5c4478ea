"""What features build on, by Python and compiled: both find the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.features import facts
from cleancrawl.methods.learned.hidden_elements import hidden_blocks
from tests.methods.learned.features.test_features_twice import PAGES, PIECES

needs_part = pytest.mark.skipif(
    compiled("block_facts") is None, reason=f"compiled part block_facts: {why_not('block_facts')}"
)


def segmented(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def assert_both_find_the_same(page: Page) -> None:
    layout = page.layout_of(TextLayout)
    measured = facts.measured_in_python(layout, hidden_blocks(page))
    again = facts.measured_compiled(layout, hidden_blocks(page))
    for name, one, other in zip(measured._fields, measured, again, strict=True):
        assert one.dtype == other.dtype, name
        np.testing.assert_array_equal(one, other, err_msg=name)
    for good in (measured.good, measured.words * 0.3, measured.words * 0):
        given_good = measured._replace(good=good)
        found = zip(
            facts.Weighed._fields,
            facts.weighed_in_python(layout, given_good),
            facts.weighed_compiled(layout, given_good),
            strict=True,
        )
        for name, one, other in found:
            np.testing.assert_array_equal(one, other, err_msg=name)


@needs_part
@pytest.mark.parametrize("html", PAGES, ids=range(len(PAGES)))
def test_pages_of_all_kinds(html: str) -> None:
    assert_both_find_the_same(segmented(html))


@needs_part
@settings(deadline=None, max_examples=80)
@given(pieces=st.lists(st.one_of(st.text(max_size=20), st.sampled_from([*PIECES, "<p hidden>"]))))
def test_any_page(pieces: list[str]) -> None:
    page = segmented("".join(pieces))
    if page.blocks:
        assert_both_find_the_same(page)


TEXT = "The bridge was closed, as the council said on Monday, for repairs. "


def test_hidden_text_is_not_good() -> None:
    page = segmented(f"<p>{TEXT * 3}</p><div hidden><p>{TEXT}</p></div>")
    assert facts.page_facts(page).good.tolist() == [36, 0]


def test_main_containers_are_the_lowest_that_hold_enough() -> None:
    page = segmented(f"<div><section><p>{TEXT * 5}</p><p>{TEXT}</p></section><p>{TEXT}</p></div><p>{TEXT * 2}</p>")
    found = facts.page_facts(page)
    names = [int(found.layout.tag[main]) for main in found.mains]
    section, div = (found.layout.tag.tolist().index(tag) for tag in (names[0], names[2]))
    assert found.held[facts.GOOD, section] / found.total_good == pytest.approx(6 / 9)
    assert found.held[facts.GOOD, div] / found.total_good >= 0.9


@needs_part
@pytest.mark.parametrize("field", ["container", "first_block", "tag", "link_chars"])
def test_a_layout_that_refers_to_nothing_is_refused(field: str) -> None:
    page = segmented("<p>some text</p>")
    layout = page.layout_of(TextLayout)
    measured = facts.measured_in_python(layout, None)
    for wrong in (np.full_like(getattr(layout, field), 999), getattr(layout, field)[:0]):
        if field == "link_chars" and len(wrong):
            continue
        broken = replace(layout, **{field: wrong})
        with pytest.raises(ValueError, match=r"layout|differ"):
            facts.measured_compiled(broken, None)
        with pytest.raises(ValueError, match=r"layout|differ"):
            facts.weighed_compiled(broken, measured)


@needs_part
@pytest.mark.parametrize("field", ["lengths", "runs", "counts"])
def test_measures_of_another_page_are_refused(field: str) -> None:
    layout = segmented("<p>some text</p>").layout_of(TextLayout)
    measures = replace(layout.measures, **{field: getattr(layout.measures, field)[..., :0]})
    with pytest.raises(ValueError, match="differ in size"):
        facts.measured_compiled(replace(layout, measures=measures), None)
    with pytest.raises(ValueError, match="differ in size"):
        facts.measured_compiled(layout, np.zeros(2, dtype=np.bool_))


@needs_part
def test_where_there_is_no_room_nothing_is_written() -> None:
    part: Any = facts._twin
    layout = segmented("<p>some text</p>").layout_of(TextLayout)
    measured = facts.measured_in_python(layout, None)
    numbers, heading, places = np.empty((3, 1)), np.empty(1, dtype=np.uint8), np.empty((2, 1), dtype=np.int64)
    for wrong in ((numbers[1:], heading, places), (numbers, heading, places[1:]), (numbers, heading, places[:, :0])):
        with pytest.raises(ValueError, match="no room"):
            part.measure(layout, None, *wrong)
    sums, held, mains = facts.weighed_in_python(layout, measured)
    for room in ((sums[1:], held, mains), (sums[:, 1:].copy(), held, mains), (sums, held, mains[1:])):
        with pytest.raises(ValueError, match="no room"):
            part.weigh(layout, measured, *room)


@needs_part
def test_rows_and_tags_that_are_missing_are_refused() -> None:
    make = type(facts._twin)
    with pytest.raises(ValueError, match="has no row"):
        make(**{**facts._GIVEN, "sums": {**facts.SUMS, "good": 9}})
    with pytest.raises(ValueError, match="tag is unknown"):
        make(**{**facts._GIVEN, "texts": np.zeros(1, dtype=np.uint8)})
