"""RSS, Atom and JSON feeds."""

from __future__ import annotations

import json
import logging
import re
from calendar import timegm
from datetime import UTC, datetime
from time import struct_time
from typing import Any

import feedparser

from cleancrawl.core.html.decode import decode
from cleancrawl.core.html.head import Head
from cleancrawl.core.metadata.dates import machine_date
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.page_urls import absolute
from cleancrawl.crawl.discovery.sitemaps import unpack

logger = logging.getLogger(__name__)

MAX_BYTES = 10_000_000
MAX_ENTRIES = 5_000
USUAL_PATHS = ("/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml")
TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})


def feed_links(head: Head, url: str) -> list[str]:
    """The feeds that a page announces.

    >>> head = Head(links=[("alternate", "/rss", "application/rss+xml"), ("alternate", "/en", "text/html")])
    >>> feed_links(head, "https://a.example/news")
    ['https://a.example/rss']
    """
    places = (absolute(url, href) for rel, href, kind in head.links if "alternate" in rel.split() and kind in TYPES)
    return list(dict.fromkeys(place for place in places if place))


def parse_feed(body: bytes, url: str) -> list[Entry]:
    """The entries of a feed of any kind; none where it is no feed. Never raises on any body."""
    body = unpack(body, MAX_BYTES)
    if body.lstrip(b"\xef\xbb\xbf\r\n\t ").startswith(b"{"):
        return _from_json(body, url)
    if b"<" not in body[:2000]:
        return []
    return _from_xml(body, url)


def _from_xml(body: bytes, url: str) -> list[Entry]:
    # Decoded here, without a declaration: where the declared encoding is wrong, its own detection takes 9 s for 20 kB
    # of one long word, and one that declares it a thousand times takes minutes.
    text = decode(body)[0]
    start = _DECLARATIONS.match(text)
    body = text[start.end() if start else 0 :].encode("utf-8", "replace")
    try:
        found = feedparser.parse(body, response_headers=_DECODED, resolve_relative_uris=False, sanitize_html=False)
    except Exception:  # it raises what it likes on impossible characters and names of encodings
        logger.debug("cannot read the feed %s", url, exc_info=True)
        return []
    entries = (_from_entry(entry, url, found.feed.get("language")) for entry in found.entries[:MAX_ENTRIES])
    return [entry for entry in entries if entry is not None]


def _from_entry(entry: Any, base: str, language: str | None) -> Entry | None:
    link = entry.get("link")
    url = absolute(base, link) if isinstance(link, str) and link else None
    if url is None:
        return None
    return Entry(
        url=url,
        # The parser's own look-up warns where it would answer with the other date.
        modified=_iso(dict.get(entry, "updated_parsed")),
        published=_iso(dict.get(entry, "published_parsed")),
        title=entry.get("title"),
        language=language,
    )


def _iso(moment: struct_time | None) -> str | None:
    try:
        return datetime.fromtimestamp(timegm(moment), UTC).isoformat() if moment else None
    except (OverflowError, ValueError, OSError):
        return None


def _from_json(body: bytes, url: str) -> list[Entry]:
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError):
        return []
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        return []
    entries = []
    for item in items[:MAX_ENTRIES]:
        link = item.get("url") if isinstance(item, dict) else None
        place = absolute(url, link) if isinstance(link, str) and link else None
        if place is not None:
            dates = (machine_date(value) if isinstance(value := item.get(key), str) else None for key in DATE_KEYS)
            modified, published = dates
            entries.append(Entry(place, modified, published, item.get("title"), item.get("language")))
    return entries


_DECLARATIONS = re.compile(r"(?:\s*+<\?[^>]*+>?)*+\s*+")
_DECODED = {"content-type": "application/xml; charset=utf-8"}
DATE_KEYS = ("date_modified", "date_published")
