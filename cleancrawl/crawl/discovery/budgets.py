"""How much of a site is read to find its pages: documents, bytes and entries of sitemaps and feeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from cleancrawl.crawl.config import Config

FREE_DOCUMENTS, FREE_BYTES, FREE_ENTRIES = 15, 50_000_000, 50_000
"""What a crawl of a few pages may read besides, to find the newest: a sitemap of the largest size is read whole."""
BYTES_PER_PAGE, ENTRIES_PER_PAGE = 1_000_000, 100
FREE_REQUESTS, REQUESTS_PER_PAGE = 1_000, 20
"""Entries of one document that are asked for; some of them are gone, forbidden, or known by another address."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may be spent on each site."""

    documents: int
    bytes: int
    entries: int
    requests: int | None
    """Of one document; None for all."""

    @classmethod
    def of(cls, config: Config, max_pages: int | None) -> Allowance:
        """What the settings say; less where only a few pages are wanted.

        >>> Allowance.of(Config(), max_pages=5)
        Allowance(documents=20, bytes=55000000, entries=50500, requests=1100)
        """
        whole = cls(config.discovery_documents, config.discovery_bytes, config.discovery_entries, None)
        if max_pages is None:
            return whole
        return cls(
            min(whole.documents, FREE_DOCUMENTS + max_pages),
            min(whole.bytes, FREE_BYTES + BYTES_PER_PAGE * max_pages),
            min(whole.entries, FREE_ENTRIES + ENTRIES_PER_PAGE * max_pages),
            # A harvest passes over what it knows and goes on with older pages.
            None if config.only_new else FREE_REQUESTS + REQUESTS_PER_PAGE * max_pages,
        )


class Budgets:
    """What is left for each site, told by its registrable domain. ``count`` is told what a budget has ended."""

    def __init__(self, allowance: Allowance, count: Callable[[str, int], None]) -> None:
        self.allowance = allowance
        self.count = count
        self._named: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self._entries: Counter[str] = Counter()

    def documents(self, site: str, offered: int, always: int = 0) -> int:
        """How many of the documents that one names are asked for: at least ``always``, to know something of each.

        Only the queue knows which are fetched; this bounds the queue.
        """
        room = max(0, 2 * self.allowance.documents - self._named[site])
        taken = min(offered, self.allowance.documents, max(always, room))
        self._named[site] += taken
        if offered > taken:
            self.count("over-documents", offered - taken)
        return taken

    def bytes_left(self, site: str) -> int:
        return max(0, self.allowance.bytes - self._bytes[site])

    def entries_left(self, site: str) -> int:
        return max(0, self.allowance.entries - self._entries[site])

    def spend(self, site: str, size: int, entries: int) -> bool:
        """Note what a document has cost; whether there is something left. The one that uses up a budget is counted."""
        self._bytes[site] += size
        self._entries[site] += entries
        left = {"over-bytes": self.bytes_left(site), "over-entries": self.entries_left(site)}
        for name in left:
            if not left[name]:
                self.count(name, 1)
        return all(left.values())
