"""Pages that wait, as they were cut into blocks and scored: what their second pass would otherwise make again."""

from __future__ import annotations

import sys
from typing import NamedTuple

from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.page import Page

MOST_BYTES = 64_000_000
"""Of sources in all; their blocks and arrays take about as much again."""


class KeptPage(NamedTuple):
    page: Page
    prints: Prints


class KeptPages:
    """As many as fit in memory; the others, and those of an earlier process, are made again from the store."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._pages: dict[str, KeptPage] = {}

    def put(self, url: str, page: Page, prints: Prints) -> None:
        """Keep a page, where it fits. One with a tree is not kept: it is many times as large."""
        self._drop(url)
        size = sys.getsizeof(page.source)
        if not page.has_tree and self.bytes + size <= self.most_bytes:
            page.borrow = None  # somebody else's tree
            self._pages[url] = KeptPage(page, prints)
            self.bytes += size

    def take(self, url: str, source: str) -> KeptPage | None:
        """The page of this source without its verdicts, once; None where there is none."""
        kept = self._drop(url)
        if kept is None or kept.page.source != source:
            return None
        kept.page.start_over()
        return kept

    def _drop(self, url: str) -> KeptPage | None:
        kept = self._pages.pop(url, None)
        if kept is not None:
            self.bytes -= sys.getsizeof(kept.page.source)
        return kept

    def __len__(self) -> int:
        return len(self._pages)
