"""Dates as articles carry them."""

from __future__ import annotations

from datetime import UTC, datetime

from cleancrawl.errors import ConfigError


def parse_date(value: object) -> datetime | None:
    """An ISO date or time as UTC; None where it is none.

    >>> parse_date("2026-03-01"), parse_date("yesterday")
    (datetime.datetime(2026, 3, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    try:
        moment = datetime.fromisoformat(str(value))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def since_date(value: str | None) -> datetime | None:
    """The moment that an option ``--since`` names."""
    moment = parse_date(value) if value else None
    if value and not moment:
        raise ConfigError(f"--since {value!r} is no date: write it as 2026-01-31")
    return moment
