"""Stop words and markers, in Python and compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.text.words import EDGES
from cleancrawl.methods.learned.features.markers import Said, marker_names, said_compiled, said_in_python
from tests.twins import twins

Finder = Callable[[Sequence[str], str | None], Said]
both = pytest.mark.parametrize("said", twins(said_in_python, "marking", said_compiled))
needs_part = pytest.mark.skipif(compiled("marking") is None, reason=f"compiled part marking: {why_not('marking')}")


def kinds(mask: int) -> list[str]:
    return [name for bit, name in enumerate(marker_names()) if mask >> bit & 1]


@both
def test_words_stop_words_and_markers_are_counted(said: Finder) -> None:
    texts = ["The storm, and the sea.", "", "READ MORE: storms", "–", "Tout à lire ici"]
    found = said(texts, "en")
    assert found.run_count.tolist() == [5, 0, 3, 1, 4]
    assert found.stops.tolist()[:2] == [3, 0]
    assert found.hits.tolist() == [0, 0, 1, 0, 1]
    assert kinds(found.anywhere[2]) == kinds(found.at_start[2]) == ["related"]
    assert kinds(found.anywhere[4]) == ["related"]
    assert all(row.dtype == np.int64 for row in found)


@both
def test_the_first_words_are_told_apart(said: Finder) -> None:
    found = said(["one two three newsletter", "one two three four newsletter"], "en")
    assert found.anywhere[0] == found.at_start[0] == found.anywhere[1] != 0
    assert found.at_start[1] == 0


@both
def test_of_long_texts_the_ends_are_read(said: Finder) -> None:
    short, middle = "word " * 32, "word " * 40 + "newsletter " + "word " * 40
    long = "newsletter " + "word " * 40 + " newsletter"
    assert len(short) == 160
    assert said([short, short + ".", middle, long, "é" + middle, "é " + long], "en").run_count.tolist() == [
        32,
        20 + 10,
        20 + 10,
        *(said([f"{text[:100]} {text[-50:]}"], "en").run_count[0] for text in (long, "é" + middle, "é " + long)),
    ]
    assert said([middle, long, "é" + middle, "é " + long], "en").hits.tolist() == [0, 2, 0, 2]


@both
def test_phrases_end_with_the_page_and_not_with_the_block(said: Finder) -> None:
    assert said(["Read", "more"], "en").hits.tolist() == [1, 0]
    assert said(["more"], "en").hits.tolist() == said(["a", "read"], "en").hits.tolist()[:1] == [0]


@both
def test_the_language_decides_what_a_stop_word_is(said: Finder) -> None:
    languages: list[str | None] = ["de", "en", None, "nb", "no", "xx"]
    german, english, any_language, bokmal, norwegian, unknown = (
        said(["und the og"], language).stops.tolist() for language in languages
    )
    assert german == english == [1]
    assert any_language == unknown == [3]
    assert bokmal == norwegian


@both
def test_no_texts_give_nothing(said: Finder) -> None:
    assert [row.tolist() for row in said([], "en")] == [[], [], [], [], []]


@needs_part
def test_lower_case_of_a_character_is_one_except_where_the_compiled_part_knows() -> None:
    longer = [code for code in range(sys.maxunicode + 1) if len(chr(code).lower()) != 1]
    assert longer == [0x130]


@needs_part
def test_the_compiled_part_takes_texts_alone() -> None:
    with pytest.raises(TypeError, match="a text, not bytes"):
        said_compiled([b"text"], None)  # type: ignore[list-item]


TELLING = [
    *("read", "more", "Read More", "newsletter", "the", "der", "à lire", "©", "don't miss", "das könnte sie auch"),
    *("interessieren", "ähnliche", "Weitere", "artikel", "KELVIN", "K", "ΟΔΟΣ", "İstanbul", "\ud800", "\0", "x" * 90),
]
PARTS = st.one_of(
    st.sampled_from(TELLING),
    st.sampled_from([" ", "  ", "\t", "\x1c", "\x85", "\xa0", "\u2003", "\u3000", *EDGES]),
    st.text(st.characters(), max_size=6),
    st.text(st.characters(max_codepoint=127), max_size=60),
)
TEXTS = st.lists(st.lists(PARTS, max_size=12).map("".join) | st.lists(PARTS, max_size=40).map(" ".join), max_size=6)


@needs_part
@given(TEXTS, st.sampled_from([None, "en", "de", "fr", "tr", "el", "ja", "xx"]))
@example(["\0", "a\0b", "ä\0"], None)
@example(["K" * 3, "Kelvin’s", "read more K"], "en")
@example(["Σ" * 161, "ΑΣ read more", "İ" * 160, "İ" * 161], "el")
@example(["a" * 99 + "é" + "b" * 10 + " the end of it" * 5, "the " * 30 + "é" + " the" * 30], "en")
@example(["read", "", "more", "also", "read"], "en")
def test_the_compiled_part_tells_the_same(texts: list[str], language: str | None) -> None:
    expected, found = said_in_python(texts, language), said_compiled(texts, language)
    for name in Said._fields:
        assert getattr(found, name).tolist() == getattr(expected, name).tolist(), name
