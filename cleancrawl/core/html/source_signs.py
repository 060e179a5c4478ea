"""What several parts look for in the source of every page, found in one pass: hardly any page has any of it.

A search through a source takes a tenth of a millisecond, so a dozen of them cost as much as a parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from cleancrawl.core.native import compiled

LICENCES = (
    *('rel="license', "rel='license", "rel=license", ' license"'),
    *("creativecommons.org/licenses/", "creativecommons.org/publicdomain/"),
)
"""What a link to a licence has in its tag."""
QUERIES = ('href="?', "href='?", 'value="?')
"""How addresses begin that are made of a query alone."""
LIVE_REPORT = "LiveBlogPosting"
TIME = "<time"
HEADLINE = "<h1"

SIGNS = (*LICENCES, *QUERIES, LIVE_REPORT, TIME, HEADLINE)
_MEMO = "source-signs"


def count_brackets_in_python(text: str) -> int:
    """How many opening brackets a text has."""
    return text.count("<")


_part = compiled("source_signs")


class SourceSearch(Protocol):
    """Looks for some strings."""

    def first_places(self, text: str) -> list[int]:
        """Where each is first found in a text, -1 where it is not."""

    def places(self, text: str, most: int) -> list[list[int]]:
        """Where each is found, without overlaps, no more than some places of each."""


class SearchInPython:
    """
    >>> SearchInPython(["an", "x"]).first_places("banana"), SearchInPython(["an", "x"]).places("banana", 9)
    ([1, -1], [[1, 3], []])
    """

    def __init__(self, signs: Sequence[str]) -> None:
        self.signs = tuple(signs)

    def first_places(self, text: str) -> list[int]:
        return [text.find(sign) for sign in self.signs]

    def places(self, text: str, most: int) -> list[list[int]]:
        return [list(islice(_places(text, sign), most)) for sign in self.signs]


def _places(text: str, sign: str) -> Iterator[int]:
    place = text.find(sign)
    while place >= 0:
        yield place
        place = text.find(sign, place + len(sign))


def search_for(signs: Sequence[str], probes: Sequence[str]) -> SourceSearch:
    """A search for strings that cannot overlap with themselves, which compiled takes one pass for all of them.

    Each string has one of the probes: two or three characters that other text seldom has so, with ``·`` for any
    between them.

    >>> search_for(["author", "<time"], ["u··or", "<t·m"]).first_places("By the author")
    [7, -1]
    """
    if _part is None:
        return SearchInPython(signs)
    made: SourceSearch = _part.Needles(signs, [probe_of(sign, probes) for sign in signs])
    return made


def probe_of(sign: str, probes: Sequence[str]) -> tuple[int, str]:
    """Where a string has a probe, and which, as the compiled part takes it.

    >>> probe_of("<time", ["l·c·n", "t·m"]), probe_of("<time", ["l·c·n"])
    ((1, 't\\x00m'), (0, ''))
    """
    patterns = ((probe.replace("·", "\0"), re.escape(probe).replace("·", ".")) for probe in probes)
    return next(((found.start(), probe) for probe, pattern in patterns if (found := re.search(pattern, sign))), (0, ""))


first_places = search_for(SIGNS, ("l·c·n", "v········.", "=·?", "gP", "<t·m", "<·1")).first_places
"""Where each of ``SIGNS`` is first found in a text, -1 where it is not."""
count_brackets = count_brackets_in_python if _part is None else _part.count_brackets


class Searched(Protocol):
    """The part of a page that signs are looked for in."""

    html: str
    memo: dict[str, Any]


def has_sign(page: Searched, sign: str) -> bool:
    """Whether a page's source has one of ``SIGNS``."""
    return place_of(page, sign) >= 0


def place_of(page: Searched, sign: str) -> int:
    """Where a page's source first has one of ``SIGNS``, or -1. Compiled, all are looked for with the first."""
    if _part is None:
        return page.html.find(sign)
    found: tuple[str, dict[str, int]] | None = page.memo.get(_MEMO)
    if found is None or found[0] is not page.html:
        found = page.html, dict(zip(SIGNS, first_places(page.html), strict=True))
        page.memo[_MEMO] = found
    return found[1][sign]
