"""Which part of which article an address may be, by its shape alone."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from cleancrawl.core.site import host_of
from cleancrawl.data import read_lines, read_sections

WHOLE = -1
"""The number of a version on one page: "view all", or for printing."""
MOST = 200
"""Numbers above it are no numbers of parts: years, identifiers."""


class Place(NamedTuple):
    """What an address may be."""

    story: str
    """The address of the article in one spelling, without the number."""
    number: int | None
    """As it is written; None where there is none."""
    sure: bool = True
    """False where another article may have such an address, too."""


@cache
def _words(section: str) -> frozenset[str]:
    return frozenset(word for line in read_sections("article_parts.txt")[section] for word in line.split())


@cache
def _tracking() -> frozenset[str]:
    return frozenset(read_lines("tracking_parameters.txt"))


@cache
def _shapes() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    words = "|".join(sorted(map(re.escape, _words("page-words")), key=len, reverse=True))
    single = "|".join(sorted(map(re.escape, _words("single-words")), key=len, reverse=True))
    flags = re.IGNORECASE
    return (
        re.compile(rf"(?:(?:{words})[-_,]?)?(\d{{1,3}})", flags),
        re.compile(rf"[-_,](?:({words})[-_,]?)?(\d{{1,3}})(\.[a-z]{{3,5}})?\Z", flags),
        re.compile(rf"(?:\A|[-_,])(?:{single})(\.[a-z]{{3,5}})?\Z", flags),
    )


def places(url: str) -> list[Place]:
    """All that an address may be, the article itself first; nothing where it is no address.

    >>> [tuple(place)[:2] for place in places("https://www.a.example/storm?page=2&utm_source=x")]
    [('a.example/storm?page=2', None), ('a.example/storm', 2)]
    >>> [tuple(place) for place in places("https://a.example/storm-3.html")][1:]
    [('a.example/storm.html', 3, False)]
    >>> [tuple(place)[:2] for place in places("https://a.example/storm/page/4/")][1:]
    [('a.example/storm', 4)]
    >>> [tuple(place)[:2] for place in places("https://a.example/storm/print")][1:], places("http://[")
    ([('a.example/storm', -1)], [])
    """
    try:
        parts = urlsplit(url)
        query = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in _tracking()]
    except ValueError:
        return []
    host = host_of(url).removeprefix("www.")
    if parts.scheme not in ("http", "https") or not host:
        return []
    path = parts.path.rstrip("/")
    found = [Place(_spelled(host, path, query), None)]
    for name, value in query:
        number = _number_of(name.lower(), value.lower())
        if number is not None:
            others = [pair for pair in query if pair[0] != name]
            found.append(Place(_spelled(host, path, others), number))
    found += [Place(_spelled(host, stem, query), number, sure) for stem, number, sure in _in_path(path)]
    return [place for place in found if place.number is None or place.number <= MOST]


def _number_of(name: str, value: str) -> int | None:
    if f"{name}={value}" in _words("single-parameters"):
        return WHOLE
    return int(value) if name in _words("page-parameters") and value.isdecimal() and len(value) <= 3 else None


def _in_path(path: str) -> list[tuple[str, int, bool]]:
    before, _, last = path.rpartition("/")
    own, behind, single = _shapes()
    found = []
    if match := own.fullmatch(last):
        parent, _, word = before.rpartition("/")
        stem = parent if last.isdecimal() and word.lower() in _words("page-words") else before
        found.append((stem, int(match[1]), True))
    # ``covid-19``, ``budget-2`` are names: without an ending or a word the number may be anything.
    elif (match := behind.search(last)) and match.start() and (match[1] or match[3]):
        found.append((f"{before}/{last[: match.start()]}{match[3] or ''}", int(match[2]), bool(match[1])))
    if match := single.search(last):
        stem = f"{before}/{last[: match.start()]}{match[1] or ''}" if match.start() else before
        found.append((stem, WHOLE, True))
    if path.lower().startswith("/print/"):
        found.append((path[len("/print") :], WHOLE, True))
    return [entry for entry in found if entry[0].strip("/")]


def _spelled(host: str, path: str, query: list[tuple[str, str]]) -> str:
    return host + path + (f"?{urlencode(sorted(query))}" if query else "")
