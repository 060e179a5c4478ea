"""One spelling for the addresses of one page."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urljoin

from w3lib.url import canonicalize_url, url_query_cleaner

from cleancrawl.data import read_lines

# Servlets put sessions behind a semicolon, ASP.NET puts them into a segment of its own: /(S(3f2a))/ or /(A(…)S(…))/.
_PATH_SESSION = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid)=[^/?#;]*|/\((?:[A-Z]\([^()/?#]*\))+\)(?=/)", re.IGNORECASE
)
_SCHEME = re.compile(r"^https?://(?:www\.)?")


@cache
def tracking_parameters() -> list[str]:
    return read_lines("tracking_parameters.txt")


def normalise_url(url: str) -> str:
    """One spelling for one page: no fragment, no tracking or session parameters, sorted query.

    >>> normalise_url("https://A.example/s;jsessionid=1F?utm_source=x&b=2&a=1#top")
    'https://a.example/s?a=1&b=2'
    >>> normalise_url("https://a.example/(S(3f2ax))/news/storm?SID=9")
    'https://a.example/news/storm'
    """
    return canonicalize_url(url_query_cleaner(_PATH_SESSION.sub("", url), tracking_parameters(), remove=True))


def spelling(base: str, url: str) -> str:
    """An address in one spelling, without what two spellings of one page differ in.

    >>> spelling("http://a.example/", "/storm/?utm_source=x#top") == spelling("", "https://www.a.example/storm")
    True
    """
    try:
        return _SCHEME.sub("", normalise_url(urljoin(base, url))).rstrip("/")
    except ValueError:
        return url
