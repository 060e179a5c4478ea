"""What sitemaps and feeds say about a page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from cleancrawl.core.text.iso_dates import day_of

MOST_FRESH = 60
"""The priority of what is of today."""


@dataclass(frozen=True, slots=True)
class Entry:
    url: str
    modified: str | None = None
    """``lastmod`` or ``updated``, ISO 8601."""
    published: str | None = None
    title: str | None = None
    language: str | None = None
    content: str | None = None
    """The whole text as HTML, where a feed has it."""

    @property
    def date(self) -> str | None:
        """The newest date that is known."""
        return max(filter(None, (self.modified, self.published)), default=None)


def newest_first(entries: list[Entry]) -> list[Entry]:
    """Dated ones by date, then the rest in their order.

    >>> [entry.url for entry in newest_first([Entry("a"), Entry("b", "2026-01-01"), Entry("c", "2026-02-01")])]
    ['c', 'b', 'a']
    """
    return sorted(entries, key=lambda entry: entry.date or "", reverse=True)


def freshness(value: str | None, now: datetime, levels: int = MOST_FRESH) -> int:
    """A request priority: one level per day of age, so that the newest come first and the queues stay few.

    >>> now = datetime(2026, 11, 16, tzinfo=UTC)
    >>> freshness("2026-11-16", now), freshness("2026-11-06", now), freshness("2020-01-01", now), freshness(None, now)
    (60, 50, 0, 0)
    """
    day = day_of(value)
    if day is None:
        return 0
    return min(levels, max(0, levels - (now.astimezone(UTC).date() - day).days))
