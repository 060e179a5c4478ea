"""Dates in ISO 8601, a day or a time: articles carry them, ``machine_date`` gives them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

_DAY = len("2026-11-16")


def parse_date(value: object) -> datetime | None:
    """An ISO date or time as UTC; None where it is none.

    >>> parse_date("2026-03-01"), parse_date("yesterday")
    (datetime.datetime(2026, 3, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    try:
        return aware(datetime.fromisoformat(str(value))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def latest_moment(value: str | None) -> datetime | None:
    """The latest moment that a date can mean: a day without a time lasts until its end.

    >>> str(latest_moment("2026-03-01")), str(latest_moment("2026-03-01T10:00:00+02:00")), latest_moment(None)
    ('2026-03-02 00:00:00+00:00', '2026-03-01 08:00:00+00:00', None)
    """
    moment = parse_date(value)
    if moment is None or len(value or "") > _DAY:
        return moment
    return moment + timedelta(days=1) if moment.date() < date.max else datetime.max.replace(tzinfo=UTC)


def day_of(value: str | None) -> date | None:
    """The day that a date or time names, in the zone that it is written in; None where it is none.

    >>> day_of("2026-11-01T23:30:00-05:00"), day_of("soon"), day_of(None)
    (datetime.date(2026, 11, 1), None, None)
    """
    try:
        return date.fromisoformat(value[:_DAY]) if value else None
    except ValueError:
        return None


def days_between(first: str, second: str) -> int:
    """How many days two dates lie apart, each in its own zone.

    >>> days_between("2026-03-01", "2026-02-28T23:00:00+00:00")
    1
    """
    return abs((date.fromisoformat(first[:_DAY]) - date.fromisoformat(second[:_DAY])).days)


def aware(moment: datetime) -> datetime:
    """A moment with its zone; UTC where it says none."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
