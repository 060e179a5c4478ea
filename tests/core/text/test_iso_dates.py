from __future__ import annotations

from datetime import date

from cleancrawl.core.text.iso_dates import day_of, latest_moment, parse_date


def test_dates_at_the_ends_of_the_calendar() -> None:
    assert parse_date("0001-01-01T00:00:00+14:00") is None
    last = latest_moment("9999-12-31")
    assert last is not None
    assert last.date() == date.max


def test_the_day_is_that_of_the_zone_in_which_it_was_written() -> None:
    moment = parse_date("2026-11-01T23:30:00-05:00")
    assert moment is not None
    assert (day_of("2026-11-01T23:30:00-05:00"), moment.date()) == (date(2026, 11, 1), date(2026, 11, 2))
