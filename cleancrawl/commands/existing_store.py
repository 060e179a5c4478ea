"""Commands that read a store: one that is not there is an error, not a new and empty one."""

from __future__ import annotations

from pathlib import Path

from cleancrawl.errors import StoreError
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store


def open_existing(url: str) -> Store:
    """The store at a URL.

    >>> open_existing("sqlite:///no/such/file.db")
    Traceback (most recent call last):
    cleancrawl.errors.StoreError: no store at no/such/file.db
    """
    path = url.removeprefix("sqlite:///")
    if path not in ("", url) and not Path(path).exists():
        raise StoreError(f"no store at {path}")
    return open_store(url)
