"""Spider arguments: what ``-a name=value`` may say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from inspect import Parameter, signature
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from cleancrawl.crawl.date_window import Window
from cleancrawl.errors import ConfigError

QUEUE = "queue"
"""``-a sites=queue``: those of the store's list."""
WAYS = ("sitemap", "feed", "links")
SCRAPYD = frozenset({"_job", "_project", "_spider", "_version"})
"""What Scrapyd adds to the arguments that it was given."""
_LABEL = re.compile(r"[^\W_](?:[\w-]{0,61}[^\W_])?|_[\w-]{0,62}")
"""A part of a host name, in any script; some begin with an underscore."""


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
            max_pages=read_count("max_pages", max_pages, least=1),
            depth=3 if (hops := read_count("depth", depth)) is None else hops,
            discover=read_ways(discover),
        )


def arguments_of(spider: type, base: type) -> list[str]:
    """The arguments that a spider declares: the parameters of ``__init__``, of the classes below ``base`` as well."""
    own = [kind for kind in spider.__mro__ if issubclass(kind, base) and kind is not base and "__init__" in vars(kind)]
    declared = (parameter for kind in own for parameter in list(signature(kind).parameters.values()))
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return list(dict.fromkeys(parameter.name for parameter in declared if parameter.kind in named))


def refuse_unknown(spider: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Scrapy would take a mistyped argument for an attribute of the spider, and crawl without the limit that was meant.

    >>> refuse_unknown("news", ["max_page", "_job"], ["sites", "max_pages"])
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: unknown argument -a max_page=: did you mean max_pages? news takes sites, max_pages
    """
    for name in given:
        if name not in known and name not in SCRAPYD:
            close = get_close_matches(name.lower(), known, n=1)
            meant = f": did you mean {close[0]}? {spider}" if close else f"; {spider}"
            raise ConfigError(f"unknown argument -a {name}={meant} takes {', '.join(known)}")


def read_urls(name: str, value: str) -> tuple[str, ...]:
    """URLs between commas or blanks, or ``@file`` with one per line (``#`` starts a comment); none where none is given.

    >>> read_urls("sites", "a.example, http://b.example/news")
    ('https://a.example/', 'http://b.example/news')
    >>> read_urls("sites", "notaurl")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: -a sites=: 'notaurl' is not an http or https address
    """
    if not value:
        return ()
    text = value
    if value.startswith("@"):
        try:
            text = Path(value[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"-a {name}={value}: {getattr(error, 'strerror', None) or error}") from None
        text = "\n".join(re.sub(r"(^|\s)#.*", "", line) for line in text.splitlines())
    given = [part for part in re.split(r"[,\s]+", text) if part]
    if not given:
        raise ConfigError(f"-a {name}={value}: no URLs")
    return tuple(dict.fromkeys(_checked_url(name, part) for part in given))


def _checked_url(name: str, url: str) -> str:
    complete = url if "://" in url else f"https://{url}"
    try:
        parts = urlsplit(complete)
        valid = parts.scheme in ("http", "https") and (parts.port is None or parts.port > 0)
        # A single word is a host only where it is written as an address: it may be anything else.
        valid = valid and is_host(parts.hostname or "", alone="://" in url)
    except ValueError:
        valid = False
    if valid and complete != url and Path(url).is_file():
        raise ConfigError(f"-a {name}=: {url} is a file: write -a {name}=@{url}")
    if not valid:
        raise ConfigError(f"-a {name}=: {url!r} is not an http or https address")
    return complete if parts.path or parts.query else complete + "/"


def is_host(name: str, *, alone: bool = False) -> bool:
    """Whether a name can be a host's; one without a dot only if it may stand ``alone``.

    >>> [is_host(name) for name in ("a.example", "127.0.0.1", "::1", "localhost", "münchen.example")]
    [True, True, True, True, True]
    >>> [is_host(name) for name in ("notaurl", "a..example", "a!b.example", "-a.example", ".", "")]
    [False, False, False, False, False, False]
    >>> is_host("intranet", alone=True)
    True
    """
    try:
        return bool(ip_address(name.partition("%")[0]))
    except ValueError:
        labels = name.removesuffix(".").split(".")
    return all(_LABEL.fullmatch(label) for label in labels) and (alone or len(labels) > 1 or name == "localhost")


def read_day(name: str, value: str) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise ConfigError(f"-a {name}= must be a day such as 2026-11-01, not {value!r}") from None


def read_count(name: str, value: str, least: int = 0) -> int | None:
    if value == "":
        return None
    # Not by itself: ``int`` refuses numbers of thousands of digits with an error of its own.
    number = int(value) if str(value).isdecimal() and len(str(value)) < 16 else -1
    if number < least:
        raise ConfigError(f"-a {name}= must be a whole number of at least {least}, not {value!r}")
    return number


def read_switch(name: str, value: str) -> bool:
    """
    >>> read_switch("once", "1"), read_switch("once", "")
    (True, False)
    """
    known = {"1": True, "true": True, "yes": True, "": False, "0": False, "false": False, "no": False}
    if str(value).lower() not in known:
        raise ConfigError(f"-a {name}= must be 1 or 0, not {value!r}")
    return known[str(value).lower()]


def read_ways(value: str) -> frozenset[str]:
    chosen = frozenset(part for part in re.split(r"[,\s]+", value) if part) or frozenset(WAYS)
    unknown = chosen - set(WAYS)
    if unknown:
        raise ConfigError(f"-a discover= may name {', '.join(WAYS)}, not {', '.join(sorted(unknown))}")
    return chosen
