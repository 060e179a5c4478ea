"""URLs in one spelling, and what their shape tells."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

_TOKEN = re.compile(
    r"(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])[^\W_]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)
_DAY = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])?")
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


def is_slug(segment: str) -> bool:
    stem = _EXTENSION.sub("", segment)
    return stem.count("-") >= SLUG_HYPHENS or stem.count("_") >= SLUG_HYPHENS or len(stem) >= SLUG_LENGTH


def looks_like_story(url: str) -> bool:
    """Whether a URL has the shape of an article's: a slug, a long number, or a word under a date.

    >>> looks_like_story("https://a.example/news/storm-hits-the-coast"), looks_like_story("https://a.example/1234567")
    (True, True)
    >>> looks_like_story("https://a.example/2026/11/16/storm"), looks_like_story("https://a.example/2026/11/")
    (True, False)
    >>> looks_like_story("https://a.example/sport?page=2"), looks_like_story("https://a.example/calendar/20261116")
    (False, False)
    """
    return is_named(url) or _DATE.search(urlsplit(url).path) is not None


def is_for_news(url: str) -> bool:
    """Whether a sitemap is called one of news.

    >>> is_for_news("https://news.example/News-Sitemap.xml"), is_for_news("https://news.example/sitemap.xml")
    (True, False)
    """
    return "news" in urlsplit(url).path.lower()


def is_named(url: str) -> bool:
    """Whether a URL's last word is one of many, so that pages of its shape are as many as a site has articles.

    >>> is_named("https://a.example/2026/11/storm-hits-the-coast"), is_named("https://a.example/2026/11/16/story42")
    (True, True)
    >>> is_named("https://a.example/2026/11/events"), is_named("https://a.example/calendar/20261116")
    (False, False)
    """
    path = urlsplit(url).path
    last = path.rstrip("/").rpartition("/")[2]
    if is_slug(last):
        return True
    numbered = _LONG_ID if _DATE.search(path) is None else _DIGITS
    return numbered.search(last) is not None and _DAY.fullmatch(last) is None


def without_page_number(url: str) -> str | None:
    """The listing or article of which a URL is a further page; None where it is none.

    >>> without_page_number("https://a.example/storm/page/7"), without_page_number("https://a.example/storm?page=7&x=1")
    ('https://a.example/storm', 'https://a.example/storm?x=1')
    >>> without_page_number("https://a.example/storm")
    """
    parts = urlsplit(url)
    path = _PAGE_IN_PATH.sub("", parts.path)
    query = parse_qsl(parts.query, keep_blank_values=True)
    others = [(name, value) for name, value in query if name not in PAGE_PARAMETERS or not value.isdecimal()]
    if path == parts.path and len(others) == len(query):
        return None
    return urlunsplit((parts.scheme, parts.netloc, path, urlencode(others), ""))


def without_tokens(url: str) -> str | None:
    """An article's URL without what looks like a session in it; None where nothing does.

    Only where the article has a name of its own: elsewhere a token may be all that tells pages apart.

    >>> without_tokens("https://a.example/s/9a1b2c3d4e5f60718293/storm-hits-the-coast?v=0f9e8d7c6b5a49382716")
    'https://a.example/s/*/storm-hits-the-coast?v=*'
    >>> without_tokens("https://a.example/9a1b2c3d4e5f60718293/index.html"), without_tokens("https://a.example/storm-hits-the-coast")
    (None, None)
    """
    parts = urlsplit(url)
    *before, last = parts.path.rstrip("/").split("/")
    if _TOKEN.fullmatch(last) or not is_slug(last):
        return None
    segments = ["*" if _TOKEN.fullmatch(segment) else segment for segment in before]
    query = parse_qsl(parts.query, keep_blank_values=True)
    values = [f"{name}={'*' if _TOKEN.fullmatch(value) else value}" for name, value in query]
    found = "*" in segments or any(value.endswith("=*") for value in values)
    return f"{parts.scheme}://{parts.netloc}{'/'.join([*segments, last])}?{'&'.join(values)}" if found else None


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
