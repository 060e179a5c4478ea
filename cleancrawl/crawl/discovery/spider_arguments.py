"""Spider arguments: what ``-a name=value`` may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from cleancrawl.crawl.date_window import Window
from cleancrawl.errors import ConfigError

WAYS = ("sitemap", "feed", "links")


@dataclass(frozen=True, slots=True)
class NewsArguments:
    """Arguments of the ``news`` spider, checked."""

    sites: tuple[str, ...]
    """Addresses, of front pages as a rule."""
    window: Window
    max_pages: int | None
    """Per registrable domain."""
    depth: int
    discover: frozenset[str]

    @classmethod
    def read(
        cls,
        sites: str = "",
        since: str = "",
        until: str = "",
        max_pages: str = "",
        depth: str = "",
        discover: str = "",
    ) -> NewsArguments:
        """Raises ``ConfigError`` with one line that says what is allowed."""
        window = Window(read_day("since", since), read_day("until", until))
        if window.since and window.until and window.since > window.until:
            raise ConfigError(f"-a since={since} is later than -a until={until}")
        return cls(
            sites=read_urls("sites", sites),
            window=window,
            max_pages=read_count("max_pages", max_pages),
            depth=3 if (hops := read_count("depth", depth)) is None else hops,
            discover=read_ways(discover),
        )


def read_urls(name: str, value: str) -> tuple[str, ...]:
    """URLs between commas or blanks, or ``@file`` with one per line (``#`` starts a comment).

    >>> read_urls("sites", "a.example, http://b.example/news")
    ('https://a.example/', 'http://b.example/news')
    """
    text = value
    if value.startswith("@"):
        try:
            text = Path(value[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"-a {name}={value}: {getattr(error, 'strerror', None) or error}") from None
        text = "\n".join(re.sub(r"(^|\s)#.*", "", line) for line in text.splitlines())
    given = [part for part in re.split(r"[,\s]+", text) if part]
    if not given:
        raise ConfigError(f"-a {name}= needs one or more URLs (comma or blank between them) or @file")
    return tuple(dict.fromkeys(_checked_url(name, part) for part in given))


def _checked_url(name: str, url: str) -> str:
    complete = url if "://" in url else f"https://{url}"
    try:
        parts = urlsplit(complete)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise ConfigError(f"-a {name}=: {url!r} is not an http or https address")
    return complete if parts.path or parts.query else complete + "/"


def read_day(name: str, value: str) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise ConfigError(f"-a {name}= must be a day such as 2026-11-01, not {value!r}") from None


def read_count(name: str, value: str) -> int | None:
    if value == "":
        return None
    if not str(value).isdecimal():
        raise ConfigError(f"-a {name}= must be a whole number, not {value!r}")
    return int(value)


def read_ways(value: str) -> frozenset[str]:
    chosen = frozenset(part for part in re.split(r"[,\s]+", value) if part) or frozenset(WAYS)
    unknown = chosen - set(WAYS)
    if unknown:
        raise ConfigError(f"-a discover= may name {', '.join(WAYS)}, not {', '.join(sorted(unknown))}")
    return chosen
