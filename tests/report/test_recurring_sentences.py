"""Where sentences end: the same places as a pattern says that looks behind at each place."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.report.recurring_sentences import (
    LONGEST,
    SENTENCES,
    SHORTEST,
    sentences_in_python,
    sentences_of,
)
from tests.twins import twins

_ENDS = re.compile(r"(?<=[.!?…。！？؟])\s+|\n+")
_LINE = "A sentence that is long enough to be counted"
_PIECES = st.sampled_from(
    [_LINE, f"{_LINE} élan", ".", "!", "…", "。", " ", "\n", "\t", "\x1f", "\u2003", "a", "北" * 99]
)


SentencesOf = Callable[[str], list[tuple[str, int]]]
both = pytest.mark.parametrize("found", twins(sentences_in_python, "sentences", sentences_of))


@both
@given(st.lists(_PIECES, max_size=40).map("".join))
def test_sentences_end_behind_marks_and_at_line_feeds(found: SentencesOf, text: str) -> None:
    parts = dict.fromkeys(part.strip()[:LONGEST] for part in _ENDS.split(text))
    assert [sentence for sentence, _ in found(text)] == [part for part in parts if len(part) >= SHORTEST]


@both
def test_only_the_first_sentences_of_a_text_count(found: SentencesOf) -> None:
    text = "".join(f"Sentence {number} of a text that has no end. " for number in range(2 * SENTENCES))
    assert len(found(text)) == SENTENCES


@given(st.lists(st.one_of(_PIECES, st.text(max_size=3), st.just("\ud800 " * 20)), max_size=40).map("".join))
def test_both_ways_agree(text: str) -> None:
    assert sentences_of(text) == sentences_in_python(text)
