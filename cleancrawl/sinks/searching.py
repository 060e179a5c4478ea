"""Search in any index, page by page."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cleancrawl.core.article import ArticleRecord
from cleancrawl.errors import ConfigError
from cleancrawl.sinks.clusters import Cluster, ElasticsearchCluster, OpenSearchCluster, parse_address, require
from cleancrawl.sinks.embedded import IDENTITY, embedded_directory
from cleancrawl.sinks.reader import EmbeddedReader, Filters, Hit
from cleancrawl.sinks.server_reader import ServerReader

FRESH_SECONDS = 5.0
"""How long an embedded index is read as it was."""
DEEPEST = 10_000
"""Hits that can be leafed through in an embedded index: each page costs all pages before it."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    count: int
    """Articles found in all; servers count to 10,000."""
    hits: list[Hit]
    next: str | None
    """The cursor of the page behind it; None where there is none."""


class Searcher(Protocol):
    def search_page(self, query: str, filters: Filters, limit: int, after: str | None = None) -> SearchPage:
        """Raises ``ConfigError`` on a cursor that no page gave, ``SinkError`` where the index fails."""
        ...

    def article(self, url: str) -> ArticleRecord | None: ...

    def close(self) -> None: ...


class EmbeddedSearcher:
    """The embedded index, also while a crawl fills it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._reader, self._opened = EmbeddedReader(directory), time.monotonic()

    def _fresh(self) -> EmbeddedReader:
        if time.monotonic() - self._opened > FRESH_SECONDS:
            self._reader, self._opened = EmbeddedReader(self._directory), time.monotonic()
        return self._reader

    def search_page(self, query: str, filters: Filters, limit: int, after: str | None = None) -> SearchPage:
        offset = read_cursor(after) if after else 0
        if not isinstance(offset, int) or not 0 <= offset <= DEEPEST:
            raise ConfigError("no page begins there")
        count, hits = self._fresh().search(query, filters, limit, offset)
        end = offset + len(hits)
        return SearchPage(count, hits, make_cursor(end) if hits and end < min(count, DEEPEST) else None)

    def article(self, url: str) -> ArticleRecord | None:
        return self._fresh().article(url)

    def close(self) -> None:
        """Nothing is open between two calls."""


class ServerSearcher:
    """An index on a server, leafed through by the place of the last hit: the last page costs no more than the first."""

    def __init__(self, reader: ServerReader) -> None:
        self._reader = reader
        self.article, self.close = reader.article, reader.close

    def search_page(self, query: str, filters: Filters, limit: int, after: str | None = None) -> SearchPage:
        place = read_cursor(after) if after else []
        if not isinstance(place, list):
            raise ConfigError("no page begins there")
        count, hits, last = self._reader.search(query, filters, limit, place)
        return SearchPage(count, hits, make_cursor(last) if len(hits) == limit and last else None)


CLUSTERS: dict[str, tuple[str, str, Callable[[Any], Cluster]]] = {
    "opensearch": ("opensearchpy", "opensearch-py", OpenSearchCluster),
    "elasticsearch": ("elasticsearch", "elasticsearch", ElasticsearchCluster),
}


def is_index(name: str) -> bool:
    """Whether a name is that of an index rather than of a store.

    >>> is_index("tantivy:///output/index"), is_index("opensearchs://host/news"), is_index("sqlite:///a.db")
    (True, True, False)
    """
    scheme = name.partition(":")[0].lower()
    return scheme == "tantivy" or scheme.removesuffix("s") in CLUSTERS or (Path(name) / IDENTITY).is_file()


def open_search(name: str) -> Searcher:
    """The index at a URL (``tantivy:///dir``, ``opensearch://host:port/index``, …) or in a directory."""
    scheme = name.partition(":")[0].lower()
    kind = CLUSTERS.get(scheme.removesuffix("s"))
    if kind is None:
        return EmbeddedSearcher(embedded_directory(name) if scheme == "tantivy" else Path(name))
    module, package, cluster = kind
    address = parse_address(name)
    require(module, package)
    return ServerSearcher(ServerReader(address, cluster(address)))


def make_cursor(place: object) -> str:
    """
    >>> read_cursor(make_cursor([1.5, "https://a.example/"]))
    [1.5, 'https://a.example/']
    """
    return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> Any:
    """Raises ``ConfigError`` on what is none.

    >>> read_cursor("nonsense")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: no page begins there
    """
    try:
        return json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError):
        raise ConfigError("no page begins there") from None
