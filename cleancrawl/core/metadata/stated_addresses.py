"""Addresses as pages state them."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from cleancrawl.core.html.json_ld import LONGEST_VALUE

_WHOLE = re.compile(
    r"https?://[a-zA-Z0-9.-]+(?::\d{1,5})?/[\w./%,+~@!$&'()*:=-]*(?:\?[\w./%,+~@!$&'()*:=?-]+)?(?:#[\w./%=-]+)?",
    re.ASCII,
)
"""An address that is complete, and stays as it is if it is resolved against another such one: most are."""
_BEGINNINGS = ("http:", "https:", "/")
"""How an address with spaces in it begins; other texts with spaces are none."""


def absolute_url(value: str | None, *bases: str | None) -> str | None:
    """An absolute http(s) URL, each base resolved against the one before; None where a value is none.

    >>> absolute_url("/a b.html", "https://news.example/x/"), absolute_url("a", "https://news.example/x/", "/y/")
    ('https://news.example/a%20b.html', 'https://news.example/y/a')
    >>> absolute_url("not an address", "https://news.example/"), absolute_url("/x"), absolute_url(None)
    (None, None, None)
    """
    value = (value or "").strip()
    if not value or len(value) > LONGEST_VALUE or (" " in value and not value.startswith(_BEGINNINGS)):
        return None
    if _WHOLE.fullmatch(value) and all(not other or _WHOLE.fullmatch(other) for other in bases):
        return value
    base = ""
    try:
        for other in bases:
            base = urljoin(base, other or "")
        absolute = urljoin(base, value.replace(" ", "%20"))
        parts = urlsplit(absolute)
    except ValueError:
        return None
    return absolute if parts.scheme in ("http", "https") and parts.netloc else None
