"""Dates in machine-readable and in written form, to ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache, lru_cache
from typing import NamedTuple

from cleancrawl.core.text import language_words
from cleancrawl.core.text.iso_dates import aware, days_between

_EARLIEST = 1990
_EASTERNMOST = timedelta(hours=14)
_LONGEST = 400
_LIKELY = re.compile(r"(?:19|20)\d\d|\d[./-]\s?\d")
_EPOCH = re.compile(r"\d{10}(?:\d{3})?(?:\.\d+)?")
_YEAR = r"(?:19|20)\d\d"
_A_YEAR = re.compile(_YEAR)
_TIME = (
    r"(?:[T ,]+(?P<H>[01]?\d|2[0-3]):(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d))?(?:[.,]\d{1,9})?"
    r"\s?(?P<z>Z|[+-]\d\d:?\d\d|UTC|GMT)?)?"
)
_ISO = re.compile(
    rf"(?<![\d.])(?P<y>{_YEAR})(?:(?P<m8>0[1-9]|1[0-2])(?P<d8>0[1-9]|[12]\d|3[01])(?!\d)"
    # A day of two digits may run into what follows: texts of neighbouring elements are often glued together.
    rf"|(?P<s>-|/|\.\s?)(?P<m>1[0-2]|0?[1-9])(?P=s)(?P<d>0[1-9]|[12]\d|3[01]|[1-9](?!\d))){_TIME}"
)
_NUMBERS = re.compile(
    rf"(?<![\d./-])(\d{{1,2}})([./-])\s?(\d{{1,2}})\2(?:\s?({_YEAR})(?!\.\d)|(\d\d)(?![\w%:/-]|\.\d))"
)
_MONTH = r"[^\W\d_][^\s\d.,;:/|()\-–]{1,14}"
_WRITTEN = re.compile(
    # Any figure may stand before the day: again glued texts.
    rf"(?:(?P<d1>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|er|º|ª|°|\.)?[\s\-/]{{1,3}}(?:de\s|of\s|d['’])?"
    rf"(?P<m1>{_MONTH})\.?,?[\s\-/]{{1,3}}(?:de\s|del\s)?(?P<y1>{_YEAR})"
    rf"|(?P<m2>{_MONTH})\.?\s{{1,3}}(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s{{1,3}}(?P<y2>{_YEAR})"
    rf"|(?P<y3>{_YEAR})(?:\.|\sm\.)?,?\s{{1,3}}(?P<m3>{_MONTH})\.?\s{{1,3}}(?P<d3>\d{{1,2}})(?!\d))"
)
_FAR_EAST = re.compile(rf"({_YEAR})\s?[年년]\s?(\d{{1,2}})\s?[月월]\s?(\d{{1,2}})\s?[日일]")
_VIETNAMESE = re.compile(rf"(\d{{1,2}})\stháng\s(\d{{1,2}})(?:,|\snăm)\s({_YEAR})", re.I)
_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/-]|$)")
_NAMED_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-]([a-zA-Z]{3,9})[/-](0?[1-9]|[12]\d|3[01])(?=[/-]|$)")
_COMPACT_IN_URL = re.compile(r"(?<!\d)(20[0-3]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY_FIRST_IN_URL = re.compile(r"(?<!\d)(0[1-9]|[12]\d|3[01])-(0[1-9]|1[0-2])-(20[0-3]\d)(?!\d)")
_ZEROS = "٠۰०০"
_ASCII_DIGITS = {ord(zero) + value: str(value) for zero in _ZEROS for value in range(10)}
_OTHER_DIGIT = re.compile(f"[{''.join(map(chr, _ASCII_DIGITS))}]")


class Found(NamedTuple):
    """A date in a text: where it stands, and as what it can be read, likeliest first."""

    start: int
    end: int
    readings: tuple[str, ...]


class Order(NamedTuple):
    """What a page's language says about written dates."""

    language: str | None = None
    month_first: bool = False


ANYWHERE = Order()


@cache
def _months(language: str | None = None) -> dict[str, int]:
    """The months of all languages by name, and those that mean another one in this language."""
    shared = {name: number for names in language_words.months().values() for name, number in names.items()}
    return shared | language_words.months("own-months").get(language or "", {})


def plausible(when: datetime) -> bool:
    """Whether an article can be of that time: not before the web, and past or present somewhere on earth."""
    return when.year >= _EARLIEST and aware(when) <= datetime.now(UTC) + _EASTERNMOST


def machine_date(value: str | None) -> str | None:
    """A date written for machines (ISO 8601 in many spellings, RFC 2822, seconds) as ISO 8601; None where it is none.

    >>> machine_date("2024-05-03T10:20:30.123+0200"), machine_date("20240503"), machine_date("2024/5/3 7:05")
    ('2024-05-03T10:20:30+02:00', '2024-05-03', '2024-05-03T07:05:00')
    >>> machine_date("Fri, 03 May 2024 10:20:30 GMT"), machine_date("1714731630"), machine_date("2999-01-01")
    ('2024-05-03T10:20:30+00:00', '2024-05-03T10:20:30+00:00', None)
    >>> machine_date("soon"), machine_date("2021/22"), machine_date("202211")
    (None, None, None)
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
    if _EPOCH.fullmatch(value):
        return _checked(datetime.fromtimestamp(int(value[:10]), UTC), with_time=True)
    return None


def any_date(value: str | None, order: Order = ANYWHERE) -> str | None:
    """A date written for machines or for people, as ISO 8601.

    >>> any_date("Published on May 3rd, 2024"), any_date("3. Mai 2024, 10:15 Uhr"), any_date("3 de mayo de 2024")
    ('2024-05-03', '2024-05-03', '2024-05-03')
    >>> any_date("03.05.2024"), any_date("05/23/2024"), any_date("2024年5月3日"), any_date("May 2024")
    ('2024-05-03', '2024-05-23', '2024-05-03', None)
    """
    return next(iter(readings(value, order)), None)


def readings(value: str | None, order: Order = ANYWHERE) -> tuple[str, ...]:
    """All that the first date in a value can be, likeliest first; nothing where there is none.

    >>> readings("03/05/2024"), readings("2024-05-03"), readings("x")
    (('2024-05-03', '2024-03-05'), ('2024-05-03',), ())
    """
    if not value:
        return ()
    exact = machine_date(value)
    return (exact,) if exact else next((found.readings for found in find(value, order)), ())


def written_date(value: str, order: Order = ANYWHERE) -> str | None:
    """The first date in a text.

    >>> written_date("2024 May 3"), written_date("Stand: 03.05.24"), written_date("5/3/2024", Order("en", True))
    ('2024-05-03', '2024-05-03', '2024-05-03')
    """
    return next((found.readings[0] for found in find(value, order)), None)


def find(text: str, order: Order = ANYWHERE) -> list[Found]:
    """The dates in the first characters of a text, in their order.

    >>> [found.readings for found in find("21. Januar 202223. Februar 2022, then 3/5/2022 on")]
    [('2022-01-21',), ('2022-02-23',), ('2022-05-03', '2022-03-05')]
    >>> [found.readings for found in find("Jane DoeMay 3, 2024")]
    [('2024-05-03',)]
    >>> find("Season 2021/22, 2024-25, at 10:30, 3 of 2024 pages, version 1.2.2024.5")
    []
    """
    text = text[:_LONGEST]
    # Most lines have nothing like a date, and need no memory.
    if not _LIKELY.search(text) and (text.isascii() or not _OTHER_DIGIT.search(text)):
        return []
    return list(_found(text, order))


@lru_cache(maxsize=256)
def _found(text: str, order: Order) -> list[Found]:
    """Remembered for some lines: whoever reads comments asks about each of theirs again and again."""
    if not text.isascii():
        text = text.translate(_ASCII_DIGITS)
    if not _LIKELY.search(text):
        return []
    found: list[Found] = []
    end = 0
    for candidate in sorted(_candidates(text, order)):
        if candidate.start >= end:
            found.append(candidate)
            end = candidate.end
    return found


def _candidates(text: str, order: Order) -> Iterator[Found]:
    for match in _NUMBERS.finditer(text):
        # A year of two digits is one only in a line that is not much more than a date.
        if match[4] or len(text) < 40:
            yield from _reading(match, *_numbered(match, order))
    if not _A_YEAR.search(text):
        return  # which all that follow have
    for match in _ISO.finditer(text):
        stamp = _from_iso(match)
        if stamp:
            yield Found(match.start(), match.end(), (stamp,))
    months = _months(order.language)
    for match in _WRITTEN.finditer(text):
        month = _month(match["m1"] or match["m2"] or match["m3"], months)
        if month:
            year, day = match["y1"] or match["y2"] or match["y3"], match["d1"] or match["d2"] or match["d3"]
            yield from _reading(match, _day(int(year), month, int(day)))
    if not text.isascii():
        for match in _FAR_EAST.finditer(text):
            yield from _reading(match, _day(*map(int, match.groups())))
        for match in _VIETNAMESE.finditer(text):
            yield from _reading(match, _day(*map(int, reversed(match.groups()))))


def _month(name: str, months: dict[str, int]) -> int | None:
    """A month by its name, which may run on from the word before it: "Jane DoeMay"."""
    month = months.get(name.lower())
    if month is None and not name.isupper() and not name.istitle():
        start = max(index for index, letter in enumerate(name) if letter.isupper() or not index)
        month = months.get(name[start:].lower())
    return month


def _reading(match: re.Match[str], *days: str | None) -> Iterator[Found]:
    readings = tuple(dict.fromkeys(day for day in days if day))
    if readings:
        yield Found(match.start(), match.end(), readings)


def _numbered(match: re.Match[str], order: Order) -> tuple[str | None, str | None]:
    """Day and month in figures: both readings, the likelier first. Only with slashes is a month usual in front."""
    first, second, year = int(match[1]), int(match[3]), int(match[4] or "20" + match[5])
    day_first, month_first = _day(year, second, first), _day(year, first, second)
    return (month_first, day_first) if order.month_first and match[2] == "/" else (day_first, month_first)


def url_date(url: str | None) -> str | None:
    """The date in a URL's path.

    >>> url_date("https://e.org/2024/05/03/title"), url_date("https://e.org/a-20240503.html"), url_date("https://e.org/1")
    ('2024-05-03', '2024-05-03', None)
    >>> url_date("https://e.org/2024/may/03/title"), url_date("https://e.org/title-03-05-2024")
    ('2024-05-03', '2024-05-03')
    """
    match = _IN_URL.search(url or "") or _COMPACT_IN_URL.search(url or "")
    if match:
        return _day(int(match[1]), int(match[2]), int(match[3]))
    match = _NAMED_IN_URL.search(url or "")
    if match and (month := _months().get(match[2].lower())):
        return _day(int(match[1]), month, int(match[3]))
    match = _DAY_FIRST_IN_URL.search(url or "")
    return _day(int(match[3]), int(match[2]), int(match[1])) if match else None


def local_day(stamp: str, day: str | None) -> str:
    """A UTC time stamp, or the site's own day where its URL shows that the stamp's day is not the reader's.

    >>> local_day("2024-05-04T01:00:00+00:00", "2024-05-03"), local_day("2024-05-04T01:00:00+00:00", "2024-01-01")
    ('2024-05-03', '2024-05-04T01:00:00+00:00')
    """
    if day is None or len(stamp) <= 10 or not stamp.endswith("+00:00"):
        return stamp
    return day if days_between(day, stamp) == 1 else stamp


def _from_iso(match: re.Match[str]) -> str | None:
    hour = match["H"]
    try:
        when = datetime(
            int(match["y"]),
            int(match["m"] or match["m8"]),
            int(match["d"] or match["d8"]),
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
    # A time that has not come yet is a local time without its zone, or with the wrong one: only its day can be right.
    known = with_time and aware(when) <= datetime.now(UTC)
    return when.isoformat(timespec="seconds") if known else when.date().isoformat()


def _day(year: int, month: int, day: int) -> str | None:
    try:
        when = date(year, month, day)
    except ValueError:
        return None
    return when.isoformat() if plausible(datetime(year, month, day)) else None
