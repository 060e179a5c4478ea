"""The page that a command is given: a file, an address or standard input, and how it is cleaned."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from cleancrawl.cleaner import clean
from cleancrawl.core.document import Document
from cleancrawl.core.html.decode import decode
from cleancrawl.errors import CleanCrawlError
from cleancrawl.version import __version__

TIMEOUT_SECONDS = 30
MAX_BYTES = 20_000_000
HTML_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")


def add_page_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", metavar="FILE|URL|-", help="a saved page, an http(s) address, or - for standard input")
    parser.add_argument("--recipe", default="default", help="name or import path (default: %(default)s)")
    parser.add_argument("--url", help="the page's address, where it is read from a file or standard input")
    parser.add_argument("--comments", action="store_true", help="keep the readers' comments")


def clean_page(args: Namespace) -> Document:
    html, url = read_page(args.page)
    return clean(html, url=args.url or url, recipe=args.recipe, comments=args.comments)


def read_page(source: str) -> tuple[str | bytes, str | None]:
    """The page and, where it is known, its address."""
    if source == "-":
        return sys.stdin.buffer.read(), None
    if source.partition("://")[0].lower() in ("http", "https"):
        return fetch(source)
    return Path(source).read_bytes(), None


def fetch(url: str) -> tuple[str, str]:
    """Download one page; raises ``CleanCrawlError`` with one line on whatever goes wrong."""
    try:
        request = Request(url, headers={"User-Agent": f"cleancrawl/{__version__}", "Accept": "text/html,*/*;q=0.5"})
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            kind = response.headers.get_content_type()
            if kind not in HTML_TYPES:
                raise CleanCrawlError(f"{url}: {kind} is not a web page")
            body = response.read(MAX_BYTES + 1)
            content_type, final = response.headers.get("Content-Type"), response.url
    except HTTPError as error:
        error.close()
        raise CleanCrawlError(f"{url}: HTTP {error.code} {error.reason}") from None
    except URLError as error:
        raise CleanCrawlError(f"{url}: {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise CleanCrawlError(f"{url}: {error or type(error).__name__}") from None
    if len(body) > MAX_BYTES:
        raise CleanCrawlError(f"{url}: larger than {MAX_BYTES:,} bytes")
    return decode(body, content_type)[0], final
