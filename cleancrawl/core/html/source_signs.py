"""What several parts look for in the source of every page, found in one pass: hardly any page has any of it.

A search through a source takes a tenth of a millisecond, so a dozen of them cost as much as a parse.
"""

from __future__ import annotations

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

_RARE = ("cen", "vec", '="?', "='?", "Blo", "<ti")
"""Three characters in a row, of which each sign has some and other text seldom."""
SIGNS = (*LICENCES, *QUERIES, LIVE_REPORT, TIME)
_MEMO = "source-signs"


def first_places_in_python(text: str) -> list[int]:
    """Where each of ``SIGNS`` is first found in a text, -1 where it is not."""
    return [text.find(sign) for sign in SIGNS]


def count_brackets_in_python(text: str) -> int:
    """How many opening brackets a text has."""
    return text.count("<")


_part = compiled("source_signs")
_runs = [max(map(sign.find, _RARE)) for sign in SIGNS]
first_places = first_places_in_python if _part is None else _part.Needles(SIGNS, _runs).first_places
count_brackets = count_brackets_in_python if _part is None else _part.count_brackets


class Searched(Protocol):
    """The part of a page that signs are looked for in."""

    html: str
    memo: dict[str, Any]


def has_sign(page: Searched, sign: str) -> bool:
    """Whether a page's source has one of ``SIGNS``; compiled, all are looked for when the first is asked for."""
    if _part is None:
        return sign in page.html
    found: tuple[str, dict[str, int]] | None = page.memo.get(_MEMO)
    if found is None or found[0] is not page.html:
        found = page.html, dict(zip(SIGNS, first_places(page.html), strict=True))
        page.memo[_MEMO] = found
    return found[1][sign] >= 0
