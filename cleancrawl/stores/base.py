"""The store protocol, which belongs to its consumers: one batched call before scoring, one after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cleancrawl.core.page import Known


@dataclass(frozen=True, slots=True)
class Prints:
    """Fingerprints of a page's blocks, in the order of ``page.blocks``."""

    exact: Sequence[int]
    """64-bit xxHash of each block's normalised text."""
    near: Callable[[Sequence[int]], Sequence[int | None]]
    """Proximity simhashes of the blocks at these indices, made on demand; None where a block is too short for one."""
    samples: Sequence[str] = ()
    """The blocks' texts, for people who look into the store."""


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
