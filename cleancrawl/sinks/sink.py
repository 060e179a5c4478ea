"""Sinks: what fills itself from a store's outbox, and how it is named by a URL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, cast

import xxhash

from cleancrawl.core.article import ArticleRecord
from cleancrawl.errors import ConfigError
from cleancrawl.import_path import find
from cleancrawl.stores.protocol import StoredArticle

SCHEMES = {
    "tantivy": "cleancrawl.sinks.embedded.prepare_embedded",
    "opensearch": "cleancrawl.sinks.server.prepare_opensearch",
    "opensearchs": "cleancrawl.sinks.server.prepare_opensearch",
    "elasticsearch": "cleancrawl.sinks.server.prepare_elasticsearch",
    "elasticsearchs": "cleancrawl.sinks.server.prepare_elasticsearch",
}
"""Functions that read a URL and return what opens the sink; imported on use, so that extras stay optional."""


class Sink(Protocol):
    """A copy of the articles elsewhere, filled in the order of the outbox and safe to fill twice.

    Any number of processes may fill it at once, and one of them may stand still at any point and go on much later. So
    that it cannot put an older version in place of a newer one, a sink does one of two things: it lets nobody else
    write during a ``turn``, or it heeds the ``orders``, numbers that are the greater the later a version was recorded.

    Lifecycle: ``open_sink``, any number of ``write`` and ``delete``, ``close``. ``SinkUnavailable`` means that the same
    call may work later and that nothing is lost by trying again; any other ``SinkError`` needs a person.
    """

    @property
    def name(self) -> str:
        """Names the *contents*: an index that was deleted and made again has another name, so it is filled again."""
        ...

    def turn(self) -> AbstractContextManager[object]:
        """Around one batch, from the look at the outbox until the cursor has moved."""
        ...

    def write(self, articles: Sequence[ArticleRecord], orders: Sequence[int] = ()) -> None:
        """Put the articles in, each in place of an earlier one with its URL; durable when the call returns."""
        ...

    def delete(self, urls: Sequence[str], orders: Sequence[int] = ()) -> None:
        """Take out what these URLs put in; durable when the call returns."""
        ...

    def close(self) -> None: ...


class Reading(Protocol):
    """The side of a store's ``Outbox`` that sinks use."""

    def articles(self, after: int = 0, limit: int = 100) -> Sequence[StoredArticle]: ...

    def began(self) -> int: ...

    def cursor(self, name: str) -> int: ...

    def set_cursor(self, name: str, cursor: int) -> None: ...


def prepare_sink(url: str) -> Callable[[], Sink]:
    """What opens the sink: all that can be wrong about the URL or the installation is found now, without any I/O.

    A sink of another package has the import path of such a function as its scheme: ``mine.sinks.prepare_files:///dir``.

    >>> prepare_sink("csv:///x")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: unknown sink 'csv': use tantivy:, opensearch:, opensearchs:, elasticsearch: or \
elasticsearchs:
    """
    scheme, colon, _ = url.partition(":")
    try:
        prepare = find(SCHEMES.get(scheme.lower(), scheme) if colon else "")
    except LookupError as error:
        *others, last = (f"{name}:" for name in SCHEMES)
        path = f", or an import path ({error})" if "." in scheme else ""
        # The scheme alone: the rest of the URL may hold a password.
        raise ConfigError(f"unknown sink {scheme!r}: use {', '.join(others)} or {last}{path}") from None
    return cast(Callable[[], Sink], prepare(url))


def open_sink(url: str) -> Sink:
    """The sink that a URL names: ``tantivy:///dir``, ``opensearch://host:port/index``, ``elasticsearch://…``."""
    return prepare_sink(url)()


def article_id(url: str) -> str:
    """A stable identifier of the article at a URL, short enough for every index.

    >>> article_id("https://example.com/a")
    '22a0a2b4421e124a63f764f1b952e034'
    """
    return xxhash.xxh3_128_hexdigest(url.encode("utf-8", "surrogatepass"))
