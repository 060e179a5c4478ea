"""From a URL to a store."""

from __future__ import annotations

from importlib import import_module

from cleancrawl.errors import ConfigError
from cleancrawl.stores.protocol import Limits, Store

SCHEMES = {
    "memory": "cleancrawl.stores.memory.memory_store",
    "sqlite": "cleancrawl.stores.sqlite.sqlite_store",
    "redis": "cleancrawl.stores.redis.redis_store",
    "rediss": "cleancrawl.stores.redis.redis_store",
    "unix": "cleancrawl.stores.redis.redis_store",
}
"""Modules with ``open_url(url, limits)``, imported when one is wanted."""


def open_store(url: str, limits: Limits | None = None) -> Store:
    """A store by its URL: ``memory:``, ``sqlite:///relative.db``, ``sqlite:////absolute.db``, ``redis://host:port/db``.

    Raises ``ConfigError`` on a URL that names no store, ``StoreError`` where it cannot be opened.

    >>> open_store("memory:").site_pages("example.com")
    0
    >>> open_store("mysql://host")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: no store for 'mysql:': use memory:, sqlite:///file or redis://host:port/db
    """
    scheme = url.partition(":")[0]
    if ":" not in url or scheme not in SCHEMES:
        raise ConfigError(f"no store for {scheme + ':'!r}: use memory:, sqlite:///file or redis://host:port/db")
    store: Store = import_module(SCHEMES[scheme]).open_url(url, limits or Limits())
    return store
