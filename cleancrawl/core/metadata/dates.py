"""Dates in machine-readable and in written form, to ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache

from cleancrawl.data import read_table

_EARLIEST = 1990
_TWO_DIGITS = re.compile(r"\d\d")
_ISO = re.compile(
    r"(?P<y>(?:19|20)\d\d)[-/.]?(?P<m>1[0-2]|0?[1-9])[-/.]?(?P<d>0[1-9]|[12]\d|3[01]|[1-9])(?!\d)"
    r"(?:[T ,]+(?P<H>[01]?\d|2[0-3]):(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d))?(?:[.,]\d+)?"
    r"\s*(?P<z>Z|[+-]\d\d:?\d\d|UTC|GMT)?)?"
)
_DAY_FIRST = re.compile(r"(?<![\d./-])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d)(?!\d)")
_WRITTEN = re.compile(
    r"(?<!\d)(?:(?P<d1>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s\-/]+(?:de |of )?"
    r"(?P<m1>[^\W\d_]{3,12})\.?,?[\s\-/]+(?:de |del )?(?P<y1>(?:19|20)\d\d)"
    r"|(?P<m2>[^\W\d_]{3,12})\.?\s+(?P<d2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y2>(?:19|20)\d\d))(?!\d)"
)
_HAN = re.compile(r"((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_YEAR_FIRST = re.compile(r"(?<!\d)((?:19|20)\d\d)\s+([^\W\d_]{3,12})\.?\s+(\d{1,2})(?!\d)")
_SHORT_YEAR = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d\d)(?![\d.])")
_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/-]|$)")
_COMPACT_IN_URL = re.compile(r"(?<!\d)(20[0-3]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY_FIRST_IN_URL = re.compile(r"(?<!\d)(0[1-9]|[12]\d|3[01])-(0[1-9]|1[0-2])-(20[0-3]\d)(?!\d)")


@cache
def _months() -> dict[str, int]:
    return {name: int(number) for number, *names in read_table("months.txt") for name in names}


def plausible(when: datetime) -> bool:
    """Whether an article can be of that time: not before the web, not in the future (a day is left for time zones)."""
    now = datetime.now(UTC)
    return when.year >= _EARLIEST and (when if when.tzinfo else when.replace(tzinfo=UTC)) <= now + timedelta(days=1)


def machine_date(value: str | None) -> str | None:
    """A date written for machines (ISO 8601 in its many spellings, RFC 2822) as ISO 8601; None where it is none.

    >>> machine_date("2024-05-03T10:20:30.123+0200"), machine_date("20240503"), machine_date("2024/5/3 7:05")
    ('2024-05-03T10:20:30+02:00', '2024-05-03', '2024-05-03T07:05:00')
    >>> machine_date("Fri, 03 May 2024 10:20:30 GMT"), machine_date("2999-01-01"), machine_date("soon")
    ('2024-05-03T10:20:30+00:00', None, None)
    """
    if not value:
        return None
    value = value.strip()[:80]
    match = _ISO.match(value)
    if match:
        return _from_iso(match)
    if "," in value[:5]:
        try:
            return _checked(parsedate_to_datetime(value), with_time=True)
        except (ValueError, TypeError, OverflowError):
            return None
    return None


def any_date(value: str | None) -> str | None:
    """A date written for machines or for people, as ISO 8601.

    >>> any_date("Published on May 3rd, 2024"), any_date("3. Mai 2024, 10:15 Uhr"), any_date("3 de mayo de 2024")
    ('2024-05-03', '2024-05-03', '2024-05-03')
    >>> any_date("03.05.2024"), any_date("05/23/2024"), any_date("2024年5月3日"), any_date("May 2024")
    ('2024-05-03', '2024-05-23', '2024-05-03', None)
    >>> any_date("2024 May 3"), any_date("Stand: 03.05.24")
    ('2024-05-03', '2024-05-03')
    """
    if not value:
        return None
    return machine_date(value) or written_date(value)


def written_date(value: str) -> str | None:
    """The first date in a text."""
    value = value[:400]
    if not _TWO_DIGITS.search(value):
        return None
    match = _ISO.search(value)
    if match and (found := _from_iso(match)):
        return found
    for match in _WRITTEN.finditer(value):
        month = _months().get((match["m1"] or match["m2"]).lower().rstrip("."))
        if month:
            return _day(int(match["y1"] or match["y2"]), month, int(match["d1"] or match["d2"]))
    match = _HAN.search(value)
    if match:
        return _day(*map(int, match.groups()))
    match = _DAY_FIRST.search(value)
    if match:
        first, separator, second, year = int(match[1]), match[2], int(match[3]), int(match[4])
        # Slashes are ambiguous: month first only where the other reading is impossible.
        day, month = (second, first) if second > 12 and separator != "." else (first, second)
        return _day(year, month, day)
    match = _YEAR_FIRST.search(value)
    if match and (named := _months().get(match[2].lower())):
        return _day(int(match[1]), named, int(match[3]))
    match = _SHORT_YEAR.search(value) if len(value) < 40 else None
    return _day(2000 + int(match[3]), int(match[2]), int(match[1])) if match else None


def url_date(url: str | None) -> str | None:
    """The date in a URL's path.

    >>> url_date("https://e.org/2024/05/03/title"), url_date("https://e.org/a-20240503.html"), url_date("https://e.org/1")
    ('2024-05-03', '2024-05-03', None)
    """
    match = _IN_URL.search(url or "") or _COMPACT_IN_URL.search(url or "")
    if match:
        return _day(int(match[1]), int(match[2]), int(match[3]))
    match = _DAY_FIRST_IN_URL.search(url or "")
    return _day(int(match[3]), int(match[2]), int(match[1])) if match else None


def local_day(stamp: str, day: str | None) -> str:
    """A UTC time stamp, or the site's own day where its URL shows that the stamp's day is not the reader's.

    >>> local_day("2024-05-04T01:00:00+00:00", "2024-05-03"), local_day("2024-05-04T01:00:00+00:00", "2024-01-01")
    ('2024-05-03', '2024-05-04T01:00:00+00:00')
    """
    if day is None or len(stamp) <= 10 or not stamp.endswith("+00:00"):
        return stamp
    distance = abs((date.fromisoformat(day) - date.fromisoformat(stamp[:10])).days)
    return day if distance == 1 else stamp


def _from_iso(match: re.Match[str]) -> str | None:
    hour = match["H"]
    try:
        when = datetime(
            int(match["y"]),
            int(match["m"]),
            int(match["d"]),
            int(hour or 0),
            int(match["M"] or 0),
            int(match["S"] or 0),
        )
    except ValueError:
        return None
    zone = match["z"]
    if zone:
        when = datetime.fromisoformat(when.isoformat() + ("+00:00" if zone in ("Z", "UTC", "GMT") else zone))
    return _checked(when, with_time=bool(hour))


def _checked(when: datetime, *, with_time: bool) -> str | None:
    if not plausible(when):
        return None
    return when.isoformat(timespec="seconds") if with_time else when.date().isoformat()


def _day(year: int, month: int, day: int) -> str | None:
    try:
        when = date(year, month, day)
    except ValueError:
        return None
    return when.isoformat() if plausible(datetime(year, month, day)) else None
