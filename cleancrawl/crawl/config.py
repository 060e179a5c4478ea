"""The ``CLEANCRAWL_…`` settings as one frozen object. Nothing else reads them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args

from cleancrawl.core.article import Rendering
from cleancrawl.core.metadata.rights import RESERVATIONS
from cleancrawl.core.recipe import Favour, Recipe
from cleancrawl.core.site import SiteKey, site_key
from cleancrawl.errors import CleanCrawlError, ConfigError, UnknownRecipe
from cleancrawl.recipes import get_recipe

PREFIX = "CLEANCRAWL_"
Mode = Literal["auto", "enrich"]
Browser = Literal["never", "auto", "always"]
Duplicates = Literal["mark", "drop", "keep"]


@dataclass(frozen=True, slots=True)
class Config:
    """One field per setting, named as the setting without its prefix, in lower case."""

    enabled: bool = True
    mode: Mode = "auto"
    recipe: str | Recipe = "default"
    model: str | None = None
    min_pages: int | None = None
    min_share: float | None = None
    favour: Favour | None = None
    site_rules: str | None = None
    ad_lists: tuple[str, ...] = ()
    site_key: SiteKey = "domain"
    comments: bool | Literal["field"] = False
    min_words: int = 30
    only_articles: bool = True
    max_page_bytes: int = 10_000_000
    keep_html: bool = False
    warc: str | None = None
    warc_bytes: int = 1_000_000_000
    """From this size on a WARC file is followed by another."""
    images: bool = False
    parts: int = 10
    """How many parts of one article are fetched and joined, the first included; below 2 none is."""
    feed_texts: bool = True
    """Whether whole texts of feeds are compared with their pages, and stand in for what these lack."""
    respect: tuple[str, ...] = ()
    """Reservations of pages that give no article for it."""
    tdmrep: bool = False
    formats: tuple[Rendering, ...] = ("text",)
    """What articles have their text as; the plain one is there in any case."""
    duplicates: Duplicates = "mark"
    store: str = "sqlite:///cleancrawl.db"
    browser: Browser = "never"
    """Whether pages that are application shells, or all, are rendered."""
    browser_pages: int = 2
    """How many at once."""
    browser_seconds: float = 15.0
    """How long each may take until it is read as it is."""
    discovery_documents: int = 1_000
    """Sitemaps and feeds that are read of a site; less of all three where ``max_pages`` is small."""
    discovery_bytes: int = 500_000_000
    discovery_entries: int = 200_000
    steer: bool = True
    """Whether what cleaning tells about links decides which of them come first."""
    only_new: bool = False
    revisit_hours: float = 1.0
    revisit_pages: int = 50
    withdraw_after: int = 2
    warmup_pages: int = 5
    hold_seconds: int = 600
    sites_at_once: int = 50
    """How many sites of the list a worker holds at a time."""
    lease_seconds: float = 60.0
    """After how many seconds without a sign of life another worker takes over."""
    index: str | None = None
    summary: str | None = None
    report: str | None = None
    progress: bool = True
    contact: str | None = None
    allow_private_hosts: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Config:
        """Read Scrapy's settings; raises ``ConfigError`` with one line that says what is allowed."""
        names = {PREFIX + known.name.upper(): known.name for known in fields(cls)}
        given = {name: settings[name] for name in settings if isinstance(name, str) and name.startswith(PREFIX)}
        values = {}
        for name, value in given.items():
            if name not in names:
                close = get_close_matches(name, names, n=1)
                raise ConfigError(f"unknown setting {name}" + (f": did you mean {close[0]}?" if close else ""))
            allowed, convert = READERS[names[name]]
            try:
                values[names[name]] = convert(value)
            except (TypeError, ValueError) as error:
                reason = f": {error}" if isinstance(error, UnknownRecipe) else f", not {value!r}"
                raise ConfigError(f"{name} must be {allowed}{reason}") from None
        return cls(**values)

    def site_of(self, url: str) -> str:
        """The site of a URL, by ``CLEANCRAWL_SITE_KEY``: what the store keeps knowledge under.

        A crawl's borders and limits do not hang on it: they go by the registrable domain (``domain_of``).
        """
        return site_key(url, self.site_key)


def refuse_start(error: CleanCrawlError) -> NoReturn:
    """Stop with one line under the ``scrapy`` command, which would bury the error in a traceback; else raise it."""
    if "scrapy.cmdline" in sys.modules:
        raise SystemExit(f"cleancrawl: {error}") from None
    raise error


def read_bool(value: object) -> bool:
    """
    >>> read_bool("True"), read_bool(0), read_bool("no")
    (True, False, False)
    """
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    return known[text] if (text := str(value).strip().lower()) in known else _refuse()


def read_comments(value: object) -> bool | Literal["field"]:
    """
    >>> read_comments("field"), read_comments("yes"), read_comments(False)
    ('field', True, False)
    """
    return "field" if value == "field" else read_bool(value)


def read_optional_text(value: object) -> str | None:
    return None if value is None or value == "" else _text(value)


def read_file(value: object) -> str | None:
    text = read_optional_text(value.as_posix() if isinstance(value, Path) else value)
    return text if text is None or Path(text).is_file() else _refuse()


def read_folder(value: object) -> str | None:
    """A directory, which need not exist yet; no file may have its name."""
    text = read_optional_text(value.as_posix() if isinstance(value, Path) else value)
    return _refuse() if text is not None and Path(text).exists() and not Path(text).is_dir() else text


def read_files(value: object) -> tuple[str, ...]:
    """A list of existing files, or one string with commas between them."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else _refuse()
    files = (read_file(item.strip() if isinstance(item, str) else item) for item in items)
    return tuple(file for file in files if file)


def read_formats(value: object) -> tuple[Rendering, ...]:
    """
    >>> read_formats("text, markdown"), read_formats(["html"])
    (('text', 'markdown'), ('html',))
    """
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else _refuse()
    found = tuple(dict.fromkeys(item.strip() if isinstance(item, str) else _refuse() for item in items))
    return found if found and set(found) <= set(get_args(Rendering)) else _refuse()  # type: ignore[return-value]


def read_respect(value: object) -> tuple[str, ...]:
    """
    >>> read_respect("noai, tdm"), read_respect(()), read_respect("")
    (('noai', 'tdm'), (), ())
    """
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else _refuse()
    found = tuple(dict.fromkeys(item.strip() if isinstance(item, str) else _refuse() for item in items if item))
    return found if set(found) <= set(RESERVATIONS) else _refuse()


def read_recipe(value: object) -> str | Recipe:
    if not isinstance(value, (str, Recipe)):
        return _refuse()
    get_recipe(value)
    return value


def _text(value: object) -> str:
    return value if isinstance(value, str) and value.strip() else _refuse()


def _number(kind: type[int] | type[float], low: float, high: float, *, optional: bool = False) -> Callable[[Any], Any]:
    def read(value: Any) -> float | None:
        if optional and value in (None, ""):
            return None
        number = kind(value)
        return number if low <= number <= high and not isinstance(value, bool) else _refuse()

    return read


def _one_of(choices: tuple[str, ...]) -> tuple[str, Callable[[object], str]]:
    allowed = " or ".join(repr(choice) for choice in choices)
    return allowed, lambda value: value if isinstance(value, str) and value in choices else _refuse()


def _one_or_none(choices: tuple[str, ...]) -> tuple[str, Callable[[object], str | None]]:
    allowed, read = _one_of(choices)
    return allowed, lambda value: None if value is None or value == "" else read(value)


def _refuse() -> NoReturn:
    raise ValueError


YES_OR_NO = ("True or False", read_bool)
COUNT = "a whole number of at least 1"

READERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "enabled": YES_OR_NO,
    "mode": _one_of(get_args(Mode)),
    "recipe": ("the name or import path of a recipe", read_recipe),
    "model": ("a model file made by `cleancrawl train`", read_file),
    "min_pages": (COUNT, _number(int, 1, 1_000_000, optional=True)),
    "min_share": ("a number between 0 and 1", _number(float, 0, 1, optional=True)),
    "favour": _one_or_none(get_args(Favour)),
    "site_rules": ("a TOML file with rules per site", read_file),
    "ad_lists": ("a list of existing files", read_files),
    "site_key": _one_of(get_args(SiteKey)),
    "comments": ("True, False or 'field'", read_comments),
    "min_words": ("a whole number of at least 0", _number(int, 0, 1_000_000)),
    "only_articles": YES_OR_NO,
    "max_page_bytes": ("a number of bytes, at least 1000", _number(int, 1000, 1_000_000_000)),
    "keep_html": YES_OR_NO,
    "warc": ("a directory for WARC files", read_folder),
    "warc_bytes": ("a number of bytes, at least 1000", _number(int, 1000, 1_000_000_000_000)),
    "images": YES_OR_NO,
    "parts": ("a whole number from 0 (off) to 100", _number(int, 0, 100)),
    "feed_texts": YES_OR_NO,
    "respect": (f"some of {', '.join(map(repr, RESERVATIONS))}", read_respect),
    "tdmrep": YES_OR_NO,
    "formats": (f"some of {', '.join(map(repr, get_args(Rendering)))}", read_formats),
    "duplicates": _one_of(get_args(Duplicates)),
    "store": ("a store URL such as 'sqlite:///cleancrawl.db', 'memory:' or 'redis://host'", _text),
    "browser": _one_of(get_args(Browser)),
    "browser_pages": (COUNT, _number(int, 1, 100)),
    "browser_seconds": ("a number of seconds between 1 and 600", _number(float, 1, 600)),
    "discovery_documents": (COUNT, _number(int, 1, 1_000_000)),
    "discovery_bytes": ("a number of bytes, at least 1000", _number(int, 1000, 1_000_000_000_000)),
    "discovery_entries": (COUNT, _number(int, 1, 1_000_000_000)),
    "steer": YES_OR_NO,
    "only_new": YES_OR_NO,
    "revisit_hours": ("a number of hours, at least 0", _number(float, 0, 10_000)),
    "revisit_pages": ("a whole number of at least 0", _number(int, 0, 10_000)),
    "withdraw_after": ("a whole number of at least 0", _number(int, 0, 100)),
    "warmup_pages": ("a whole number of at least 0", _number(int, 0, 10_000)),
    "hold_seconds": ("a number of seconds", _number(int, 0, 10_000_000)),
    "sites_at_once": (COUNT, _number(int, 1, 100_000)),
    "lease_seconds": ("a number of seconds, at least 1", _number(float, 1, 86_400)),
    "index": ("a sink URL such as 'tantivy:///directory'", read_optional_text),
    "summary": ("a file name, or - for the standard output", read_optional_text),
    "report": ("a file name such as 'report.html'", read_optional_text),
    "progress": YES_OR_NO,
    "contact": ("an address or URL where you can be reached", read_optional_text),
    "allow_private_hosts": YES_OR_NO,
}
"""What is allowed, in words, and how a value is read; a reader refuses with ``ValueError`` or ``TypeError``."""
