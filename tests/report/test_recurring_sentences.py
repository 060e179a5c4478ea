"""Where sentences end: the same places as a pattern says that looks behind at each place."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.report.recurring_sentences import LONGEST, SENTENCES, SHORTEST, sentences_of

_ENDS = re.compile(r"(?<=[.!?…。！？؟])\s+|\n+")
_PIECES = st.sampled_from(["A sentence that is long enough to be counted", ".", "!", "…", "。", " ", "\n", "\t", "a"])


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_sentences_end_behind_marks_and_at_line_feeds(text: str) -> None:
    parts = dict.fromkeys(part.strip()[:LONGEST] for part in _ENDS.split(text))
    assert list(sentences_of(text)) == [part for part in parts if len(part) >= SHORTEST]


def test_only_the_first_sentences_of_a_text_count() -> None:
    text = "".join(f"Sentence {number} of a text that has no end. " for number in range(2 * SENTENCES))
    assert len(list(sentences_of(text))) == SENTENCES
