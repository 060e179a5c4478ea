"""Which short lines may be headings or buttons of a discussion."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.comments import telling_lines as module
from cleancrawl.core.comments.comment_words import is_heading, telling_words
from cleancrawl.core.comments.telling_lines import telling_lines, telling_lines_in_python

_PIECES = st.sampled_from(
    [*sorted(telling_words())[::7], "Reply", "COMMENTS", "“", ":", " ", "İ", "ΟΔΟΣ", "bridge", "\n"]
)
_LINES = st.lists(st.lists(_PIECES, max_size=12).map("".join) | st.text(max_size=30), max_size=12)


@pytest.mark.skipif(module._marking is None, reason="the compiled part is not built here")
@settings(deadline=None, max_examples=200)
@given(_LINES)
def test_the_compiled_look_finds_the_same_lines(texts: list[str]) -> None:
    assert module.telling_lines_compiled(texts) == telling_lines_in_python(texts)


def test_every_heading_is_among_them() -> None:
    lines = ["34 responses to “A bridge”", "Comments (12)", "Kommentare", "A bridge", "12 Kommentare"]
    found = telling_lines(lines)
    assert [number for number, line in enumerate(lines) if is_heading(line)] == found == [0, 1, 2, 4]


def test_lines_that_are_too_long_for_one_look_are_asked() -> None:
    assert telling_lines(["x " * 100, "x " * 10]) == [0]
