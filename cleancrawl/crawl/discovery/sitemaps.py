"""Sitemaps, sitemap indexes and news sitemaps, gzipped or not, broken or not."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from lxml import etree

from cleancrawl.core.metadata.dates import machine_date
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.page_urls import absolute

MAX_BYTES = 50_000_000
"""The protocol's own limit on an unpacked sitemap."""
MAX_ENTRIES = 50_000
USUAL_PATHS = ("/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml", "/sitemap-news.xml")
MAX_LEVELS = 3
MAX_CHILDREN = 500
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Sitemap:
    children: list[Entry] = field(default_factory=list)
    """Further sitemaps."""
    pages: list[Entry] = field(default_factory=list)


def parse_sitemap(body: bytes, url: str) -> Sitemap:
    """Whatever a sitemap says; nothing where it is none. Never raises, expands no entities, fetches nothing.

    >>> body = b"<urlset><url><loc>/a</loc><lastmod>2026-11-16</lastmod></url><url><loc>/b</loc>"
    >>> [(entry.url, entry.modified) for entry in parse_sitemap(body, "https://a.example/sitemap.xml").pages]
    [('https://a.example/a', '2026-11-16'), ('https://a.example/b', None)]
    """
    body = unpack(body)
    if not body.lstrip(b"\xef\xbb\xbf\r\n\t ").startswith(b"<"):
        return Sitemap(pages=_from_text(body))
    # ``recover`` reads a cut-off or ill-formed file as far as it goes; entities stay unexpanded.
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root: etree._Element | None = etree.fromstring(body.lstrip(), parser)
    except etree.XMLSyntaxError:
        root = None
    sitemap = Sitemap()
    wanted = {"url": sitemap.pages, "sitemap": sitemap.children}
    for element in () if root is None else root:
        entries = wanted.get(_name(element))
        if entries is not None and len(entries) < MAX_ENTRIES:
            try:
                entry = _entry(element, url)
            except UnicodeDecodeError:  # halves of characters, which lxml takes and cannot give back
                continue
            if entry is not None:
                entries.append(entry)
    return sitemap


def from_robots(body: bytes, url: str) -> list[str]:
    """The sitemaps that a robots.txt names.

    >>> from_robots(b"User-agent: *\\nSitemap: /news.xml", "https://a.example/robots.txt")
    ['https://a.example/news.xml']
    """
    from scrapy.utils.sitemap import sitemap_urls_from_robots  # sitemaps can be read without Scrapy

    places = (absolute(url, place) for place in sitemap_urls_from_robots(body))
    return [place for place in places if place]


def unpack(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """Gunzip what is gzipped, up to a limit; a broken or cut-off archive gives what could be read.

    >>> import gzip
    >>> unpack(gzip.compress(b"abc")), unpack(b"abc"), unpack(gzip.compress(b"abc")[:-4]), unpack(b"\\x1f\\x8bno")
    (b'abc', b'abc', b'abc', b'')
    """
    if not body.startswith(_GZIP):
        return body[:limit]
    try:
        return zlib.decompressobj(wbits=31).decompress(body, limit)
    except zlib.error:
        return b""


def _from_text(body: bytes) -> list[Entry]:
    lines = body[:MAX_BYTES].decode("utf-8", "replace").split()
    return [Entry(line) for line in lines[:MAX_ENTRIES] if line.startswith(("http://", "https://"))]


def _entry(element: etree._Element, base: str) -> Entry | None:
    texts: dict[str, str] = {}
    for child in element.iter():
        name = _name(child)
        if name not in texts and isinstance(child.text, str) and child.text.strip():
            texts[name] = child.text.strip()
    url = absolute(base, texts.get("loc", ""))
    if url is None or "loc" not in texts:
        return None
    return Entry(
        url=url,
        modified=machine_date(texts.get("lastmod")),
        published=machine_date(texts.get("publication_date")),
        title=texts.get("title"),
        language=texts.get("language"),
    )


def _name(element: etree._Element) -> str:
    try:
        tag = element.tag
    except UnicodeDecodeError:
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""
