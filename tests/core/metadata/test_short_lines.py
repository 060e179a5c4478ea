"""Lines that are chosen before they are read: none is lost that says something."""

from __future__ import annotations

import pytest

from cleancrawl.core.block import Block
from cleancrawl.core.metadata.dates import written_date
from cleancrawl.core.metadata.short_lines import dated_lines, notices
from cleancrawl.core.page import Page
from cleancrawl.recipes import get_recipe

_LINES = (
    *("3 May 2024", "Stand: 03.05.24", "٣ مايو ٢٠٢٤", "𝟑.𝟓.𝟐𝟎𝟐𝟒", "2024年5月3日", "5 / 2", "Room 7", "no figure"),
    *("© 2024-05-03 Us", "3 May 2024 " + "and on " * 20),
)


def _page() -> Page:
    page = Page("".join(f"<p>{line}</p>" for line in _LINES))
    get_recipe("default").run_phase("segment", page)
    assert [block.text for block in page.blocks] == [line.strip() for line in _LINES]
    return page


def test_no_line_with_a_date_is_left_out() -> None:
    page = _page()
    chosen = list(dated_lines(page))
    page.layout = None
    every = list(dated_lines(page))
    assert every == [line for line in _LINES if len(line) <= 100 and "©" not in line]
    assert set(chosen) < set(every)
    assert [line for line in chosen if written_date(line)] == [line for line in every if written_date(line)]


@pytest.mark.parametrize("size", [1, 23, 24, 25, 200])
def test_notices_come_from_the_end_whatever_the_size(size: int) -> None:
    texts = [f"© {number}" if number % 3 == 0 else "x" * (number % 2 * 300) for number in range(size)]
    blocks = [Block(text, 1, 0, "p") for text in texts]
    assert list(notices(blocks)) == [text for text in reversed(texts) if "©" in text]
    assert list(notices([Block("©" * 201, 1, 0, "p")])) == []
