"""URLs in one spelling, and what their shape tells."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import parse_qsl, urljoin, urlsplit

from w3lib.url import canonicalize_url, url_query_cleaner

from cleancrawl.data import read_lines

_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#]*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_LONG_ID = re.compile(r"\d{5,}")
_DATE = re.compile(r"/(?:19|20)\d\d[/-]\d{1,2}(?:[/-]\d{1,2})?/[^/]*[^\W\d]")
_EXTENSION = re.compile(r"\.[a-z0-9]{2,5}$", re.IGNORECASE)
_PAGE_IN_PATH = re.compile(r"/(?:page|seite|pagina|p)[/-]\d+(?=/|$)", re.IGNORECASE)
# Parameters that the common content management systems count the pages of a listing with.
PAGE_PARAMETERS = frozenset({"page", "p", "pg", "paged", "seite", "pagina", "offset", "start"})
SLUG_HYPHENS = 3
SLUG_LENGTH = 30
MAX_REPEATED_SEGMENT = 3


def absolute(base: str, link: str) -> str | None:
    """An http address from a link as it is written; None where it is none.

    >>> absolute("https://a.example/b/", "c"), absolute("https://a.example/", "javascript:x"), absolute("", "http://[x")
    ('https://a.example/b/c', None, None)
    """
    try:
        parts = urlsplit(urljoin(base, link.strip()))
        valid = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return parts.geturl() if valid else None


@cache
def tracking_parameters() -> list[str]:
    return read_lines("tracking_parameters.txt")


def normalise_url(url: str) -> str:
    """One spelling for one page: no fragment, no tracking or session parameters, sorted query.

    >>> normalise_url("https://A.example/s;jsessionid=1F?utm_source=x&b=2&a=1#top")
    'https://a.example/s?a=1&b=2'
    """
    return canonicalize_url(url_query_cleaner(_PATH_SESSION.sub("", url), tracking_parameters(), remove=True))


def is_slug(segment: str) -> bool:
    stem = _EXTENSION.sub("", segment)
    return stem.count("-") >= SLUG_HYPHENS or stem.count("_") >= SLUG_HYPHENS or len(stem) >= SLUG_LENGTH


def looks_like_story(url: str) -> bool:
    """Whether a URL has the shape of an article's: a slug, a long number, or a word under a date.

    >>> looks_like_story("https://a.example/news/storm-hits-the-coast"), looks_like_story("https://a.example/1234567")
    (True, True)
    >>> looks_like_story("https://a.example/2026/11/16/storm"), looks_like_story("https://a.example/2026/11/")
    (True, False)
    >>> looks_like_story("https://a.example/sport?page=2")
    False
    """
    path = urlsplit(url).path
    last = path.rstrip("/").rpartition("/")[2]
    return is_slug(last) or _LONG_ID.search(last) is not None or _DATE.search(path) is not None


def url_pattern(url: str) -> str:
    """The shape of a URL: what an endless calendar's pages have in common.

    >>> url_pattern("https://a.example/calendar/2026/11?day=3&view=week")
    'a.example/calendar/9/9?day&view'
    >>> url_pattern("https://a.example/news/storm-hits-the-coast")
    'a.example/news/*'
    """
    parts = urlsplit(url)
    segments = ("*" if is_slug(part) else _DIGITS.sub("9", part) for part in parts.path.split("/"))
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return parts.netloc + "/".join(segments) + ("?" + "&".join(names) if names else "")


def is_next_page(url: str, base: str) -> bool:
    """Whether a link leads to another page of the same listing.

    >>> is_next_page("https://a.example/sport?page=3", "https://a.example/sport?page=2")
    True
    >>> is_next_page("https://a.example/sport/page/2/", "https://a.example/sport/")
    True
    >>> is_next_page("https://a.example/news?page=2", "https://a.example/sport")
    False
    """
    there, here = urlsplit(url), urlsplit(base)
    counted = any(name in PAGE_PARAMETERS and value.isdecimal() for name, value in parse_qsl(there.query))
    path = _PAGE_IN_PATH.sub("", there.path)
    if not counted and path == there.path:
        return False
    return there.netloc == here.netloc and path.rstrip("/") == _PAGE_IN_PATH.sub("", here.path).rstrip("/")


def goes_in_circles(url: str) -> bool:
    """Whether the path repeats itself, as relative links on a misconfigured site make it do.

    >>> goes_in_circles("https://a.example/b/c/b/c/b/c/b/c"), goes_in_circles("https://a.example/b/c")
    (True, False)
    """
    segments = [segment for segment in urlsplit(url).path.split("/") if segment]
    return any(segments.count(segment) > MAX_REPEATED_SEGMENT for segment in set(segments))
