"""Tables of the days of a month go; tables that say more stay."""

from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.calendars import Calendars


def table(*cells: object) -> str:
    """A table of seven columns."""
    rows = [cells[start : start + 7] for start in range(0, len(cells), 7)]
    return f"<table>{''.join('<tr>' + ''.join(f'<td>{cell}</td>' for cell in row) for row in rows)}</table>"


def removed(html: str) -> list[str]:
    page = Page(f"<html><body><p>The house has two rooms.</p>{html}</body></html>")
    TextBlocks()(page)
    Calendars()(page)
    assert {str(block.removed) for block in page.blocks if block.removed} <= {"score: calendar (the days of a month)"}
    return [block.text for block in page.blocks if block.removed]


WEEK = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")


@pytest.mark.parametrize(
    "cells",
    [
        (*WEEK, *range(1, 32)),
        ("Februar 2021", *WEEK, *range(1, 29), "« Jan", "Mrz »"),
        (*WEEK, 29, 30, 31, *range(1, 31), 1, 2, 3, 4),
        (*WEEK, *[f"{day:02}" for day in range(1, 31)]),
    ],
)
def test_a_month_goes_with_what_is_written_around_it(cells: tuple[object, ...]) -> None:
    assert removed(table(*cells)) == [str(cell) for cell in cells]


@pytest.mark.parametrize(
    "cells",
    [
        # Places of a race with their winners, hours, years, numbers in another order.
        [cell for place in range(1, 31) for cell in (place, f"Runner {place} of the club")],
        [f"{hour}:00" for hour in range(1, 32)],
        list(range(1991, 2022)),
        list(range(31, 0, -1)),
        # Part of a month.
        list(range(1, 25)),
        # Larger tables of numbers.
        list(range(1, 91)),
    ],
)
def test_other_tables_stay(cells: list[object]) -> None:
    assert removed(table(*cells)) == []


def test_tables_inside_tables_are_asked_by_themselves() -> None:
    months = "".join(f"<td>{table(*WEEK, *range(1, 31))}</td>" for _ in range(3))
    assert len(removed(f"<table><tr><td>Price per night</td>{months}</tr></table>")) == 3 * 37


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, Calendars) for stage in recipe().score)
