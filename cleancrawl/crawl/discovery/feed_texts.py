"""Whole texts that feeds have, until the pages come that they belong to."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from cleancrawl.core.feed_text import FeedText
from cleancrawl.core.site import domain_of
from cleancrawl.core.text.url_spelling import normalise_url
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.one_per_crawl import OnePerCrawl

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MOST_BYTES = 32_000_000
"""Of all texts that wait, packed; above it the oldest go."""
MOST_WANTED = 10_000
"""Pages without a text that are remembered."""
FEWEST, MOST = 200, 500_000
"""Characters of a text: less is a summary, more is no article."""


class _Waiting(NamedTuple):
    packed: bytes
    title: str | None
    published: str | None


class FeedTexts(OnePerCrawl):
    """By address of the page. A feed speaks for pages of its own site alone."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._texts: OrderedDict[str, _Waiting] = OrderedDict()
        self._wanted: OrderedDict[str, None] = OrderedDict()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FeedTexts:
        return cls()

    def add(self, entries: Iterable[Entry], feed: str) -> int:
        """Keep the texts of a feed at this address; gives how many."""
        site, kept = domain_of(feed), 0
        for entry in entries:
            content = entry.content or ""
            if not FEWEST <= len(content) <= MOST or domain_of(entry.url) != site:
                continue
            key = _key(entry.url)
            self._drop(key)
            packed = zlib.compress(content.encode("utf-8", "surrogatepass"), 3)
            title = entry.title if isinstance(entry.title, str) else None
            self._texts[key] = _Waiting(packed, title, entry.published)
            self.bytes += len(packed)
            kept += 1
            while self.bytes > self.most_bytes:
                self._drop(next(iter(self._texts)))
        return kept

    def take(self, urls: Iterable[str]) -> FeedText | None:
        """The text for a page that goes by these addresses, once."""
        if not self._texts:
            return None
        for url in urls:
            found = self._drop(_key(url))
            if found is not None:
                html = zlib.decompress(found.packed).decode("utf-8", "surrogatepass")
                return FeedText(html, found.title, found.published)
        return None

    def want(self, url: str) -> None:
        """A page has come that lacks a text; a feed that is read later may have it."""
        self._wanted[_key(url)] = None
        if len(self._wanted) > MOST_WANTED:
            self._wanted.popitem(last=False)

    def come_late(self, entries: Iterable[Entry]) -> list[str]:
        """Pages of these entries that lacked what is known now: each once."""
        found = [key for entry in entries if (key := _key(entry.url)) in self._wanted and key in self._texts]
        for key in found:
            self._wanted.pop(key, None)
        return list(dict.fromkeys(found))

    def _drop(self, key: str) -> _Waiting | None:
        found = self._texts.pop(key, None)
        self.bytes -= 0 if found is None else len(found.packed)
        return found

    def __len__(self) -> int:
        return len(self._texts)


def _key(url: str) -> str:
    try:
        return normalise_url(url)
    except ValueError:
        return url
