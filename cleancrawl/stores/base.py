"""The store protocol, which belongs to its consumers: one batched call before scoring, one after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from cleancrawl.core.hashing import Prints
from cleancrawl.core.page import Known

__all__ = ["PageRecord", "Prints", "Store"]


@dataclass(frozen=True, slots=True)
class PageRecord:
    """Everything that one page leaves behind; recorded in one transaction."""

    site: str
    url: str
    prints: Prints
    content: int
    """Fingerprint of the page's kept text: near-identical pages are one page."""
    state: dict[str, Any] = field(default_factory=dict)
    """ETag, Last-Modified, times, the reason why it is no article …"""
    article: dict[str, Any] | None = None


class Store(Protocol):
    """``seen`` and ``record`` are batched per page; ``record`` is atomic and idempotent (fetched twice counts once).

    Every method raises ``StoreError`` with one clear line where the backend fails.
    """

    def seen(self, site: str, url: str, prints: Prints) -> Known:
        """On how many other pages of the site each block was seen."""
        ...

    def record(self, record: PageRecord) -> None:
        """Remember a page: its blocks, its state and its article, all or nothing."""
        ...

    def close(self) -> None: ...
