"""The page that a command is given: a file, an address or standard input, and how it is cleaned."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from http.client import HTTPException
from pathlib import Path
from typing import get_args
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from cleancrawl.cleaner import clean
from cleancrawl.core.document import Document
from cleancrawl.core.html.decode import decode
from cleancrawl.core.recipe import Favour
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.site_rules_file import read_site_rules
from cleancrawl.version import __version__

TIMEOUT_SECONDS = 30
MAX_BYTES = 20_000_000
HTML_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")


def add_page_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", metavar="FILE|URL|-", help="a saved page, an http(s) address, or - for standard input")
    parser.add_argument("--recipe", default="default", help="name or import path (default: %(default)s)")
    parser.add_argument("--url", help="the page's address, where it is read from a file or standard input")
    parser.add_argument("--comments", action="store_true", help="keep the readers' comments")
    parser.add_argument("--favour", choices=get_args(Favour), help="rather lose a line, or rather keep one too many")
    parser.add_argument("--site-rules", metavar="FILE", help="TOML file of what to keep and drop on single sites")


def clean_page(args: Namespace) -> Document:
    rules = None if args.site_rules is None else read_site_rules(args.site_rules)
    html, url = read_page(args.page)
    url = args.url or url
    if args.site_rules is not None and url is None:
        raise ConfigError("--site-rules needs the page's address: --url")
    return clean(
        html,
        url=url,
        recipe=args.recipe,
        comments=args.comments,
        favour=args.favour,
        site_rules=rules,
    )


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
