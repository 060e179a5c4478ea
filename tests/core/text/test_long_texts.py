"""Texts of megabytes are read in pieces; what comes out is that of one piece."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.render.markdown_escape import escape_inline
from cleancrawl.core.text import words as module
from cleancrawl.core.text.words import collapse, count_words, normalise, pieces, split, terms, words

READERS: tuple[Callable[[str], object], ...] = (
    normalise,
    collapse,
    count_words,
    words,
    split,
    terms,
    escape_inline,
)
TEXTS = st.text(st.sampled_from("aB 1.,'_~*[]<&;\n\t\u00a0\u0085\u2028\u00ad\u200b\x1b\x97北かé😀"), max_size=60)


@given(TEXTS, st.integers(1, 9))
@settings(max_examples=150, deadline=None)
def test_pieces_change_nothing(text: str, long: int) -> None:
    whole = [read(text) for read in READERS]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_LONG", long)
        assert "".join(pieces(text)) == text
        assert [read(text) for read in READERS] == whole


def test_a_word_without_end_stays_whole() -> None:
    text = f"{'a' * 300_000} {'b' * 150_000}  c"
    assert [len(piece) for piece in pieces(text)] == [300_001, 150_001, 2]
    assert (count_words(text), len(normalise(text))) == (3, len(text) - 1)


def test_a_word_is_held_once() -> None:
    for read in (words, split, terms):
        found = read("river council " * 10_000)
        assert len(found) == 20_000
        assert len(set(map(id, found))) == 2
