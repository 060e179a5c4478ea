"""RSS, Atom and JSON feeds."""

from __future__ import annotations

import json
import logging
import re
from calendar import timegm
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from itertools import islice
from time import struct_time
from typing import Any

import feedparser

from cleancrawl.core.html.decode import decode
from cleancrawl.core.html.head import Head
from cleancrawl.core.metadata.dates import machine_date
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.packed import unpack
from cleancrawl.crawl.discovery.page_urls import absolute

logger = logging.getLogger(__name__)

MAX_BYTES = 2_000_000
"""Of larger feeds the first entries are read, which are the newest."""
MAX_TAGS = 40_000
"""What the parser's time goes by, 30 µs each; a usual entry has twenty."""
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


def parse_feed(body: bytes, url: str, most: int = MAX_ENTRIES) -> list[Entry]:
    """The first entries of a feed of any kind; none where it is no feed. Never raises on any body."""
    return _parsed(unpack(body, MAX_BYTES + 1), url)[:most]


def _parsed(body: bytes, url: str) -> list[Entry]:
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
    body = first_entries(text[start.end() if start else 0 :]).encode("utf-8", "replace")
    try:
        found = feedparser.parse(body, response_headers=_DECODED, resolve_relative_uris=False, sanitize_html=False)
    except Exception:  # it raises what it likes on impossible characters and names of encodings
        logger.debug("cannot read the feed %s", url, exc_info=True)
        return []
    entries = (_from_entry(entry, url, found.feed.get("language")) for entry in found.entries[:MAX_ENTRIES])
    return [entry for entry in entries if entry is not None]


def first_entries(text: str) -> str:
    """As much of a feed as is read, up to the end of an entry: of half a one the address may be half.

    >>> first_entries("<rss><item>1</item></rss>")
    '<rss><item>1</item></rss>'
    >>> first_entries("<rss>" + "<item>1</item>" * MAX_TAGS).count("</item>") == MAX_TAGS // 2 - 1
    True
    """
    tags = list(islice(re.finditer("<", text), MAX_TAGS + 1))
    end = min(MAX_BYTES, tags[-1].start() if len(tags) > MAX_TAGS else len(text))
    if end == len(text):
        return text
    ends = [match.end() for match in _ENTRY_ENDS.finditer(text, 0, end)]
    return text[: ends[-1]] if ends else text[:end]


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
        content=_content(entry),
    )


def _content(entry: Any) -> str | None:
    """``content:encoded`` or Atom's ``content``, the longest that is text; a description is a summary."""
    found = dict.get(entry, "content")
    values = [part.get("value") for part in found if isinstance(part, dict)] if isinstance(found, list) else []
    return max((value for value in values if isinstance(value, str)), key=len, default=None)


def _iso(moment: struct_time | None) -> str | None:
    try:
        return datetime.fromtimestamp(timegm(moment), UTC).isoformat() if moment else None
    except (OverflowError, ValueError, OSError):
        return None


def _from_json(body: bytes, url: str) -> list[Entry]:
    entries = []
    for item in islice(_json_items(body.decode("utf-8-sig", "replace")), MAX_ENTRIES):
        link = item.get("url") if isinstance(item, dict) else None
        place = absolute(url, link) if isinstance(link, str) and link else None
        if place is not None:
            dates = (machine_date(value) if isinstance(value := item.get(key), str) else None for key in DATE_KEYS)
            modified, published = dates
            html = item.get("content_html") or escape(str(item.get("content_text") or "")).replace("\n", "<br>")
            content = html if isinstance(html, str) and html else None
            entries.append(Entry(place, modified, published, item.get("title"), item.get("language"), content))
    return entries


def _json_items(text: str) -> Iterator[Any]:
    """The items one by one, so that a feed that is cut gives those before the cut."""
    start = _JSON_ITEMS.search(text)
    place = start.end() if start else len(text)
    decoder = json.JSONDecoder()
    while place < len(text):
        try:
            item, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        yield item
        place = _JSON_COMMA.match(text, place).end()  # type: ignore[union-attr]  # it matches anywhere


_JSON_ITEMS = re.compile(r'"items"\s*+:\s*+\[\s*+')
_JSON_COMMA = re.compile(r"\s*+,?\s*+")
_ENTRY_ENDS = re.compile(r"</(?:\w{1,20}:)?(?:item|entry)\s{0,9}>", re.IGNORECASE)
_DECLARATIONS = re.compile(r"(?:\s*+<\?[^>]*+>?)*+\s*+")
_DECODED = {"content-type": "application/xml; charset=utf-8"}
DATE_KEYS = ("date_modified", "date_published")
