"""Addresses that are safe to write into a rendering."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urljoin

SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
IMAGE_SCHEMES = frozenset({"http", "https"})

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_UNQUOTED = re.compile(r"[\s\"'<>`{}|\\^]")
# Where pages put the picture that a script is to load; the first that holds an address counts.
_LAZY = ("data-src", "data-original", "data-lazy-src", "src")
_MAX_LENGTH = 4_000
_SHORT = 200
_joined = lru_cache(maxsize=1024)(urljoin)
"""A page leads to few addresses again and again, and a hostile one a hundred thousand times."""


def safe_url(url: str | None, base: str | None = None, schemes: frozenset[str] = SCHEMES) -> str | None:
    """The absolute address, or None where it has a scheme that is not allowed or leads nowhere.

    >>> safe_url("/a b", "https://e.org/x/"), safe_url("java\\nscript:alert(1)"), safe_url("#", "https://e.org/")
    ('https://e.org/a%20b', None, None)
    >>> safe_url("//cdn.e.org/i.png"), safe_url("data:text/html,x"), safe_url(" a.html ")
    ('//cdn.e.org/i.png', None, 'a.html')
    """
    url = _CONTROLS.sub("", url or "").strip()
    if not url or url == "#" or len(url) > _MAX_LENGTH:
        return None
    if _SCHEME.match(url) is None and base:
        try:
            url = _joined(base, url) if len(url) <= _SHORT else urljoin(base, url)
        except ValueError:
            return None
    scheme = _SCHEME.match(url)
    if scheme and scheme[1].lower() not in schemes:
        return None
    return _UNQUOTED.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)


def page_base(url: str | None, declared: str | None) -> str | None:
    """What relative addresses of a page are relative to.

    >>> page_base("https://e.org/a/b", "/c/"), page_base("https://e.org/a", "data:x"), page_base(None, None)
    ('https://e.org/c/', 'https://e.org/a', None)
    """
    return safe_url(declared, url, IMAGE_SCHEMES) or safe_url(url, None, IMAGE_SCHEMES)


def image_url(attrs: Mapping[str, str], base: str | None) -> str | None:
    """Where an ``img`` element's picture is, lazily loaded ones included.

    >>> image_url({"src": "data:image/gif;base64,R0", "data-src": "/i.png"}, "https://e.org/")
    'https://e.org/i.png'
    >>> image_url({"srcset": "a.png 1x, b.png 2x"}, "https://e.org/")
    'https://e.org/a.png'
    """
    for name in _LAZY:
        if attrs.get(name) and (found := safe_url(attrs[name], base, IMAGE_SCHEMES)):
            return found
    candidates = (attrs.get("srcset") or attrs.get("data-srcset") or "").split(None, 1)
    return safe_url(candidates[0].rstrip(","), base, IMAGE_SCHEMES) if candidates else None
