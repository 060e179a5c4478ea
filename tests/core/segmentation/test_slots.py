"""Places in a site's template."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Cleaner, clean
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation import slots
from cleancrawl.core.segmentation.slots import container_slots, container_slots_in_python, name_print, slot_of
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout
from tests.twins import twins

HTML = "<body class='page-{0}'><div class='post-{0} new'><p>One two</p><p class=lead>three</p></div><p>{0} ok</p>"


def layout_of(html: str) -> TextLayout:
    page = Page(html)
    TextBlocks()(page)
    return page.layout_of(TextLayout)


@pytest.mark.parametrize("container_slots", twins(container_slots_in_python, "slots", container_slots))
def test_each_container_has_the_slot_of_its_tags_and_first_class_names(
    container_slots: Callable[[TextLayout], Ints],
) -> None:
    layout = layout_of(HTML.format(7) + "<div><p>four</p></div><div class='12 post-9'><p>five</p></div>")
    found = container_slots(layout).tolist()
    names = ["", "", "", "post-", "", "lead", "", "", "", "post-", ""]
    assert len(found) == len(names)
    expected = [0]
    for number in range(1, len(names)):
        expected.append(slot_of(expected[layout.parent[number]], int(layout.tag[number]), name_print(names[number])))
    assert found == expected
    assert found[3] == found[9] != found[7]


def test_pages_of_one_template_have_the_same_slots() -> None:
    one, other = (container_slots(layout_of(HTML.format(number))).tolist() for number in (1, 23))
    assert one == other
    assert len(set(one)) == len(one)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.text(st.sampled_from("ab12 \t\x1f\x0bé北")), st.booleans()), max_size=30)
)
def test_both_ways_agree(elements: list[tuple[int, str, bool]]) -> None:
    html, open_ones = "<body>", 0
    for depth, name, long in elements:
        html += "</div>" * min(depth, open_ones) + f"<div class='{'9' * 399 * long}{name}'>text"
        open_ones += 1 - min(depth, open_ones)
    layout = layout_of(html)
    assert np.array_equal(container_slots(layout), container_slots_in_python(layout))


def test_only_what_is_known_of_a_site_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(slots, "_part", None)
    monkeypatch.setattr(slots, "name_print", lambda value: asked.append(value) or 0)
    clean(HTML.format(1), "https://news.example/a")
    assert not asked
    with Cleaner() as cleaner:
        cleaner.clean(HTML.format(1), "https://news.example/a")
    assert "post-1 new" in asked
    assert "page-1" not in asked
