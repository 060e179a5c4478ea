"""Calendars: tables of the days of a month, of when a house is free or when a blog had posts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import tag_ids
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.kept_elements import remove

CALENDAR = "calendar"
_TABLE = tag_ids("table")[0]
_DAYS = frozenset(map(str, range(1, 32))) | {f"{day:02}" for day in range(1, 10)}
_SHORTEST_MONTH = 28
_MOST_CELLS = 70
"""Six weeks, the names of their days, the numbers of the weeks, the month and its neighbours."""


@dataclass(frozen=True, slots=True)
class Calendars:
    """Remove kept blocks of tables that count the days of a month and say little else. Needs ``TextBlocks``."""

    needs: ClassVar[type[TextLayout]] = TextLayout

    max_words: int = 30
    """Words in the table besides the days: with more it is a programme, and content."""

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(TextLayout)
        for place in np.flatnonzero(layout.tag == _TABLE).tolist():
            first, end = int(layout.first_block[place]), int(layout.end_block[place])
            if not _SHORTEST_MONTH <= end - first <= _MOST_CELLS:
                continue
            cells = page.blocks[first:end]
            if any(block.removed is None for block in cells) and self._is_month(cells):
                remove(page, cells[0].index, cells[-1].index + 1, CALENDAR, "the days of a month")

    def _is_month(self, cells: Iterable[Block]) -> bool:
        """Whether cells count from 1 to at least 28, whatever stands before and behind."""
        day, others = 0, 0
        for block in cells:
            text = block.text
            if text not in _DAYS:
                others += block.words
            elif int(text) == day + 1:
                day += 1
            elif day < _SHORTEST_MONTH:
                day = 1 if int(text) == 1 else 0
        return day >= _SHORTEST_MONTH and others <= self.max_words
