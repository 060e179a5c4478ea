"""Signs in a source: both ways to look for them find the same, and each is looked for once per source."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.html.source_signs import (
    LICENCES,
    LIVE_REPORT,
    SIGNS,
    TIME,
    SearchInPython,
    count_brackets,
    count_brackets_in_python,
    first_places,
    has_sign,
    place_of,
    search_for,
)
from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from tests.twins import twins

_IN_PYTHON = SearchInPython(SIGNS)
_SEARCH = search_for(SIGNS, [sign[:2] + "·" + sign[3] for sign in SIGNS if len(sign) > 3] + ["<h1"])
_PIECES = st.sampled_from(
    [*SIGNS, "license", "creativecommons.org/", '="?', "<ti", "BlogP", "<h", "é", "“", "𝄞", "<", "x" * 260, "“" * 4093]
)
_SOURCES = st.lists(st.one_of(_PIECES, st.text(max_size=5)), max_size=12).map("".join)


@pytest.mark.parametrize("first_places", twins(_IN_PYTHON.first_places, "source_signs", first_places))
@pytest.mark.parametrize("before", ["", "a" * 254, "é" * 255, "“" * 256, "𝄞" * 257, "“" * 4090, "𝄞" * 4095, "é" * 8195])
def test_each_sign_is_found_wherever_it_stands(first_places: Callable[[str], list[int]], before: str) -> None:
    for place, sign in enumerate(SIGNS):
        assert first_places(before + sign)[place] == len(before)
        assert first_places(f"{before}{sign} {sign}")[place] == len(before)
        assert first_places(before + sign[:-1])[place] == -1


@given(_SOURCES)
def test_both_twins_find_the_same(source: str) -> None:
    assert first_places(source) == _IN_PYTHON.first_places(source)
    for most in (1, 2, len(source)):
        assert _SEARCH.places(source, most) == _IN_PYTHON.places(source, most)
    assert count_brackets(source) == count_brackets_in_python(source)


def test_a_string_without_rare_characters_is_refused() -> None:
    part = compiled("source_signs")
    if part is None:
        pytest.skip(f"compiled part source_signs: {why_not('source_signs')}")
    for sign, probe in (("", (0, "")), ("ab", (0, "ac")), ("abc", (2, "cd")), ("ab", (0, "a")), ("x" * 65, (0, "xx"))):
        with pytest.raises(ValueError, match="no string"):
            part.Needles([sign], [probe])
    for probe in ("ab\0", "\0bc", "abcd"):
        with pytest.raises(ValueError, match="no string"):
            part.Needles(["abcde"], [(0, probe)])
    with pytest.raises(ValueError, match="too many"):
        part.Needles(["abc"] * 33, [(0, "ab")] * 33)


def test_a_page_whose_source_was_mended_is_looked_at_again() -> None:
    page = Page(f"<p>{TIME}>")
    assert [sign for sign in SIGNS if has_sign(page, sign)] == [TIME]
    page.html += f'<a {LICENCES[0]}">{LIVE_REPORT}'
    assert [sign for sign in SIGNS if has_sign(page, sign)] == [LICENCES[0], LIVE_REPORT, TIME]
    assert place_of(page, TIME) == page.html.find(TIME)
