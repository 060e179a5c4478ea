"""The days that a crawl was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from cleancrawl.core.text.iso_dates import day_of


@dataclass(frozen=True, slots=True)
class Window:
    """The days that are wanted, both included."""

    since: date | None = None
    until: date | None = None

    def admits(self, value: str | None) -> bool:
        """Whether a date, where it is known, lies inside.

        >>> window = Window(date(2026, 11, 1))
        >>> window.admits("2026-11-01T10:00:00Z"), window.admits("2026-10-31"), window.admits(None)
        (True, False, True)
        """
        day = day_of(value)
        return day is None or (self.since or date.min) <= day <= (self.until or date.max)

    def reaches(self, modified: str | None) -> bool:
        """Whether something last changed then, such as a sitemap, can tell of a wanted day."""
        day = day_of(modified)
        return day is None or day >= (self.since or date.min)
