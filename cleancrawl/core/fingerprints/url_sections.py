"""Sections of a site: what pages of one section repeat says nothing about a text of another.

A section is a number. Of the pages that show a text, stores keep the sum of these numbers and that of their squares.
From sums a page can take itself away, and they can be added up in any order. They tell if all numbers are equal.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from xxhash import xxh32_intdigest

SECTIONS = 4095
"""Numbers of sections, from 1: two sections of a site share one once in so many times."""
_LONGEST = 64
_DIGITS = re.compile(r"\d+")
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?")
_SAME_PAGES = frozenset({"amp", "m", "mobile", "print"})
"""First segments under which a site shows the same pages once more."""


def section_of(url: str | None) -> str:
    """The section that a page belongs to by its URL; empty for pages at the root, and where only a date precedes.

    >>> [section_of(f"https://a.example{path}") for path in ("/News/story-1", "/en/news/2024/story", "/amp/news/story")]
    ['news', 'news', 'news']
    >>> [section_of(f"https://a.example{path}") for path in ("/", "/news/", "/a-story", "/2024/05/a-story")]
    ['', '', '', '']
    >>> section_of("https://a.example/tv/story"), section_of("https://a.example/election-2024/s"), section_of(None)
    ('tv', 'election-0', '')
    """
    try:
        path = urlsplit(url or "").path
    except ValueError:
        return ""
    above = [unquote(segment[: 3 * _LONGEST])[:_LONGEST].lower() for segment in path.split("/", 9)[:9] if segment][:-1]
    names = [_DIGITS.sub("0", name) for name in above if not name.isdecimal() and name not in _SAME_PAGES]
    # The first that is no language, if there is one.
    return next((name for name in names if not _LANGUAGE.fullmatch(name)), names[0] if names else "")


@lru_cache(maxsize=4096)
def section_number(url: str | None) -> int:
    """
    >>> section_number("https://a.example/news/one") == section_number("https://a.example/news/two")
    True
    """
    return xxh32_intdigest(section_of(url).encode("utf-8", "surrogatepass")) % SECTIONS + 1


def in_one_other(pages: int, total: int, squares: int, section: int) -> bool:
    """Whether all of some pages are of one section, and that is not this one.

    >>> in_one_other(3, 7 + 7 + 7, 49 * 3, 5), in_one_other(3, 7 + 7 + 7, 49 * 3, 7), in_one_other(2, 7 + 5, 49 + 25, 3)
    (True, False, False)

    Of pages that were counted before sections were, the sums know nothing. Where there are some, no:

    >>> in_one_other(4, 7 + 7 + 7, 49 * 3, 5), in_one_other(4, 0, 0, 5)
    (False, False)
    """
    # Cauchy and Schwarz: the square of a sum of so many numbers is at most this, and equal only if they are.
    return pages > 0 and 0 < total != pages * section and total * total == pages * squares
