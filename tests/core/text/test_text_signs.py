"""Which texts hold one of some strings, in Python and compiled."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.text.text_signs import SignsInPython, TextSigns, text_signs
from tests.twins import twins

_part = compiled("text_signs")


@pytest.mark.parametrize("signs", twins(SignsInPython, "text_signs", text_signs))
def test_texts_of_any_width_are_searched(signs: Callable[[list[str]], TextSigns]) -> None:
    found = signs(["(c)", "©", "禁無断転載", "👉 hier"])
    texts = ["(c) us", "( c)", "é ©", "無断転載", "禁無断転載", "x👉 hier", "", "(", "(c"]
    assert found.holding(texts) == [0, 2, 4, 5]
    assert found.holding([]) == []


@given(
    st.lists(st.text("abc©版\U0001f449", max_size=8)), st.lists(st.text("abc©版", min_size=1, max_size=3), max_size=6)
)
def test_it_is_what_python_says(texts: list[str], signs: list[str]) -> None:
    wanted = [place for place, text in enumerate(texts) if any(sign in text for sign in signs)]
    assert SignsInPython(signs).holding(texts) == wanted
    assert text_signs(signs).holding(texts) == wanted


@pytest.mark.skipif(_part is None, reason=f"compiled part text_signs: {why_not('text_signs')}")
def test_what_cannot_be_looked_for_is_refused() -> None:
    assert _part is not None
    for signs, places in ((["a"] * 65, [0] * 65), ([""], [0]), (["a" * 49], [0]), (["a"], [1])):
        with pytest.raises(ValueError, match="strings"):
            _part.TextSigns(signs, places)
    with pytest.raises(TypeError):
        _part.TextSigns(["a"], [0]).holding([None])
