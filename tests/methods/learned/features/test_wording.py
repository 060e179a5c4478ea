"""What a page says twice, in Python and compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.features import wording
from cleancrawl.methods.learned.features.page_features import feature_sheet
from cleancrawl.methods.learned.features.wording import found_in_python
from tests.twins import twins

Finder = Callable[[Sequence[str], str, int], bytearray]
both = pytest.mark.parametrize("found", twins(found_in_python, "repetition", "found"))
_part = compiled("repetition")
needs_part = pytest.mark.skipif(_part is None, reason=f"compiled part repetition: {why_not('repetition')}")


def columns(html: str, *names: str) -> list[list[float]]:
    page = Page(html)
    TextBlocks()(page)
    sheet = feature_sheet(page)
    return [sheet.rows[sheet.names.index(name)].tolist() for name in names]


@both
def test_parts_of_a_text_are_found(found: Finder) -> None:
    texts = ["storm", "a storm at sea", "", "at", "Storm", "after a storm at se", "ein Sturm"]
    assert list(found(texts, "after a storm", 100)) == [1, 0, 1, 0, 0, 0, 0]
    assert list(found(texts, "after a storm", 7)) == [1, 1, 1, 0, 0, 1, 0]
    assert list(found([], "after a storm", 7)) == []
    assert list(found(["", "a"], "", 7)) == [1, 0]


def test_the_first_and_the_last_of_equal_texts() -> None:
    html = "<title>One two</title><p>One two</p><p>three</p><p>One two</p><p>four</p><p>One two</p>"
    repeats, repeated, titled = columns(html, "repeats", "repeated", "in title")
    assert repeats == [0, 0, 1, 0, 1]
    assert repeated == [1, 0, 1, 0, 0]
    assert titled == [1, 0, 1, 0, 1]


def test_a_text_that_is_longer_than_what_is_read_of_a_title_is_not_in_it() -> None:
    title = "storm " * 100
    assert columns(f"<title>{title}</title><p>{title}</p><p>storm storm</p>", "in title") == [[0, 1]]


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<meta name=description content='one two three four'><p>one two</p><p>three four</p>"
    assert columns(html, "described") == [[1, 1]]
    monkeypatch.setattr(wording, "_WORK", 20)
    assert columns(html, "described") == [[1, 0]]


TEXT = st.text(st.sampled_from("abc é\u4e00\U0001f600\ud800"), max_size=12) | st.text(max_size=8)


@needs_part
@given(TEXT.map(lambda text: text * 5), st.data(), st.integers(min_value=0, max_value=70))
def test_the_compiled_part_finds_the_same(wanted: str, data: st.DataObject, size: int) -> None:
    assert _part is not None
    places = st.integers(min_value=0, max_value=len(wanted))
    pieces = st.tuples(places, places).map(lambda place: wanted[min(place) : max(place)])
    texts = data.draw(st.lists(TEXT | pieces | pieces.map(lambda piece: piece + "b"), max_size=8))
    assert _part.found(texts, wanted, size) == found_in_python(texts, wanted, size)


@needs_part
def test_a_long_text_fills_the_table_and_all_is_found_yet() -> None:
    assert _part is not None
    wanted = "".join(map(chr, range(0x20, 0xD000))) * 6
    texts = [wanted[start : start + 40] for start in range(0, 50_000, 997)] + ["no such text", "ba"]
    assert list(_part.found(texts, wanted, 60)) == [1] * (len(texts) - 2) + [0, 0]


@needs_part
@pytest.mark.parametrize(("texts", "wanted"), [([b"text"], "text"), (["text"], b"text")])
def test_the_compiled_part_takes_texts_alone(texts: list[str], wanted: str) -> None:
    assert _part is not None
    with pytest.raises(TypeError, match="a text, not bytes"):
        _part.found(texts, wanted, 9)
