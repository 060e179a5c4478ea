"""The page that a command is given: a file, an address or standard input, and how it is cleaned."""

from __future__ import annotations

import gzip
import sys
import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import get_args

from cleancrawl.cleaner import clean
from cleancrawl.commands.page_download import MAX_BYTES, fetch
from cleancrawl.core.document import Document
from cleancrawl.core.html.binary_bodies import looks_binary
from cleancrawl.core.recipe import Favour, Recipe, Wishes
from cleancrawl.core.rules.site_rules import SiteRules
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.recipes import get_recipe
from cleancrawl.site_rules_file import read_site_rules, with_site_rules


def add_cleaning_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--recipe", default="default", help="name or import path (default: %(default)s)")
    parser.add_argument("--model", metavar="FILE", help="another model than the recipe's own")
    parser.add_argument("--url", help="the page's address, where it is read from a file or standard input")
    parser.add_argument("--comments", action="store_true", help="keep the readers' comments in the text")
    parser.add_argument("--favour", choices=get_args(Favour), help="rather lose a line, or rather keep one too many")
    parser.add_argument("--site-rules", metavar="FILE", help="TOML file of what to keep and drop on single sites")


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How pages are cleaned. It is made of plain values, so that other processes can be told."""

    recipe: str = "default"
    url: str | None = None
    comments: bool = False
    favour: Favour | None = None
    site_rules: str | None = None
    model: str | None = None

    @classmethod
    def of(cls, args: Namespace, pages: Sequence[str]) -> Cleaning:
        """The options, checked before the first page is read; raises ``ConfigError`` or ``UnknownRecipe``."""
        cleaning = cls(args.recipe, args.url, args.comments, args.favour, args.site_rules, args.model)
        cleaning.check(pages)
        return cleaning

    def check(self, pages: Sequence[str]) -> None:
        """Raises what is wrong with the options for these pages."""
        _rules_of(self.site_rules)
        if self.site_rules is not None and self.url is None and not all(map(is_address, pages)):
            raise ConfigError("--site-rules needs the page's address: --url")
        self.chosen()

    def chosen(self) -> Recipe:
        """The recipe with all options in its stages."""
        return _chosen(replace(self, url=None))

    def clean(self, source: str, body: bytes | None = None) -> Document:
        """The page that a name stands for; ``body`` is that of standard input, where it was read already."""
        html, url = read_page(source, body)
        return clean(html, url=self.url or url, recipe=self.chosen())


@cache
def _chosen(cleaning: Cleaning) -> Recipe:
    wishes = Wishes(comments=cleaning.comments, favour=cleaning.favour, model=cleaning.model)
    return with_site_rules(get_recipe(cleaning.recipe).tailored(wishes), _rules_of(cleaning.site_rules))


@cache
def _rules_of(path: str | None) -> SiteRules | None:
    return None if path is None else read_site_rules(path)


def read_page(source: str, body: bytes | None = None) -> tuple[str | bytes, str | None]:
    """The page and, where it is known, its address; raises ``CleanCrawlError`` where it is no page."""
    if body is None and is_address(source):
        return fetch(source)
    if body is None:
        body = sys.stdin.buffer.read() if source == "-" else _file(source)
    return _text_only(source, body), None


def _file(name: str) -> bytes:
    """A file's bytes; those of a compressed page, as collections have them, unpacked."""
    if not name.endswith(".gz"):
        return Path(name).read_bytes()
    try:
        with gzip.open(name) as file:
            body = file.read(MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CleanCrawlError(f"{name}: {error}") from None
    if len(body) > MAX_BYTES:
        raise CleanCrawlError(f"{name}: larger than {MAX_BYTES:,} bytes")
    return body


def _text_only(source: str, body: bytes) -> bytes:
    if looks_binary(body):
        raise CleanCrawlError(f"{source}: binary data is not a web page")
    return body


def is_address(source: str) -> bool:
    """
    >>> is_address("HTTPS://news.example/a"), is_address("page.html"), is_address("-")
    (True, False, False)
    """
    return source.partition("://")[0].lower() in ("http", "https")
