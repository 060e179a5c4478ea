"""The rows that a store is written out as, the same for all backends."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from cleancrawl.errors import StoreError, StoreVersionError

DUMP_VERSION = 3

ROW_FIELDS: dict[str, tuple[str, ...]] = {
    "page": ("id", "site", "fingerprints", "article", "content", "keys"),
    "block": (
        *("site", "fingerprints", "key", "near", "articles", "others", "first", "last", "seen", "sample"),
        *("sections", "squares"),
    ),
    "url": (
        *("url", "site", "page", "first_fetched", "last_fetched", "status", "etag", "last_modified", "reason"),
        *("content", "visits", "changes", "version", "misses"),
    ),
    "article": (
        *("cursor", "url", "site", "version", "previous", "content", "digest", "recorded", "article", "kept", "was"),
    ),
    "cursor": ("name", "cursor"),
    "held": ("url", "site", "since", "response"),
    "document": ("url", "site", "recorded", "data", "keys"),
    "note": ("site", "name", "note"),
    "listed": ("name", "site", "due"),
    "run": ("site", "run", "started", "counts"),
}
"""By kind of row: its fields besides ``kind``. Binary values are base64, fingerprints unsigned."""

LATER_FIELDS: dict[str, dict[str, Any]] = {
    "url": {"misses": 0},
    "article": {"was": None},
    "block": {"sections": 0, "squares": 0},
}
"""What older dumps do not have."""


def as_base64(data: bytes) -> str:
    return b64encode(data).decode()


def check_row(row: Any) -> dict[str, Any]:
    """A row of a dump as it is; raises ``StoreError`` where it is none.

    >>> check_row({"kind": "cursor", "name": "search"})
    Traceback (most recent call last):
    cleancrawl.errors.StoreError: not a dump of a store: a row of kind 'cursor' without 'cursor'
    """
    kind = row.get("kind") if isinstance(row, dict) else None
    if kind == "store":
        if row.get("version", 0) > DUMP_VERSION:
            raise StoreVersionError(f"the dump has version {row['version']}, this cleancrawl knows {DUMP_VERSION}")
        return {**row}
    if kind not in ROW_FIELDS:
        raise StoreError(f"not a dump of a store: a row of kind {kind!r}")
    whole = {**LATER_FIELDS.get(kind, {}), **row}
    for name in ROW_FIELDS[kind]:
        if name not in whole:
            raise StoreError(f"not a dump of a store: a row of kind {kind!r} without {name!r}")
    return whole


def make_row(kind: str, *values: Any) -> dict[str, Any]:
    """A row from the values of its fields.

    >>> make_row("cursor", "search", 5)
    {'kind': 'cursor', 'name': 'search', 'cursor': 5}
    """
    return {"kind": kind, **dict(zip(ROW_FIELDS[kind], values, strict=True))}
