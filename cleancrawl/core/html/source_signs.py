"""What several parts look for in the source of every page, found in one pass: hardly any page has any of it.

A search through a source takes a tenth of a millisecond, so a dozen of them cost as much as a parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
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


def first_places_in_python(text: str, signs: Sequence[str] = SIGNS) -> list[int]:
    """Where each of some strings is first found in a text, -1 where it is not."""
    return [text.find(sign) for sign in signs]


def count_brackets_in_python(text: str) -> int:
    """How many opening brackets a text has."""
    return text.count("<")


_part = compiled("source_signs")


def search_for(signs: Sequence[str], probes: Sequence[str]) -> Callable[[str], list[int]]:
    """A function like ``first_places_in_python``, which compiled takes one pass for all of the strings.

    Each string has one of the probes: two or three characters that other text seldom has so, with ``·`` for any
    between them.

    >>> search_for(["author", "<time"], ["u··or", "<t·m"])("By the author")
    [7, -1]
    """
    if _part is None:
        return partial(first_places_in_python, signs=signs)
    found: Callable[[str], list[int]] = _part.Needles(signs, [probe_of(sign, probes) for sign in signs]).first_places
    return found


def probe_of(sign: str, probes: Sequence[str]) -> tuple[int, str]:
    """Where a string has a probe, and which, as the compiled part takes it.

    >>> probe_of("<time", ["l·c·n", "t·m"]), probe_of("<time", ["l·c·n"])
    ((1, 't\\x00m'), (0, ''))
    """
    patterns = ((probe.replace("·", "\0"), re.escape(probe).replace("·", ".")) for probe in probes)
    return next(((found.start(), probe) for probe, pattern in patterns if (found := re.search(pattern, sign))), (0, ""))


first_places = search_for(SIGNS, ("l·c·n", "v········.", "=·?", "gP", "<t·m", "<·1"))
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
