"""From a URL to a store."""

from __future__ import annotations

from cleancrawl.errors import ConfigError
from cleancrawl.import_path import find
from cleancrawl.stores.protocol import Limits, Store

SCHEMES = {
    "memory": "cleancrawl.stores.memory.memory_store.open_url",
    "sqlite": "cleancrawl.stores.sqlite.sqlite_store.open_url",
    "redis": "cleancrawl.stores.redis.redis_store.open_url",
    "rediss": "cleancrawl.stores.redis.redis_store.open_url",
    "unix": "cleancrawl.stores.redis.redis_store.open_url",
}
"""Functions of a URL and ``Limits``, imported when one is wanted."""


def open_store(url: str, limits: Limits | None = None) -> Store:
    """A store by its URL: ``memory:``, ``sqlite:///relative.db``, ``sqlite:////absolute.db``, ``redis://host:port/db``.

    A store of another package has the import path of such a function as its scheme: ``mine.stores.open_files:///dir``.
    Raises ``ConfigError`` on a URL that names no store, ``StoreError`` where it cannot be opened.

    >>> open_store("memory:").site_pages("example.com")
    0
    >>> open_store("mysql://host")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: no store for 'mysql:': use memory:, sqlite:///file or redis://host:port/db
    """
    scheme, colon, _ = url.partition(":")
    try:
        opener = find(SCHEMES.get(scheme, scheme) if colon else "")
    except LookupError as error:
        path = f", or an import path ({error})" if "." in scheme else ""
        known = f"use memory:, sqlite:///file or redis://host:port/db{path}"
        raise ConfigError(f"no store for {scheme + ':'!r}: {known}") from None
    store: Store = opener(url, limits or Limits())
    return store
