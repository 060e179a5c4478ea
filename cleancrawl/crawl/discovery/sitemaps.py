"""Sitemaps, sitemap indexes and news sitemaps, gzipped or not, broken or not; read in pieces, without a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from cleancrawl.core.metadata.dates import machine_date
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.packed import pieces
from cleancrawl.crawl.discovery.page_urls import absolute, is_for_news

MAX_ENTRIES = 50_000
"""The protocol's own limit on the entries of a sitemap."""
MAX_ELEMENTS = 20 * MAX_ENTRIES
"""No sitemap has more for each of its entries, images and alternates included."""
MAX_DEPTH = 50
MAX_VALUE = 4_000
"""Characters that are read of an address, a title, a date."""
USUAL_PATHS = ("/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml", "/sitemap-news.xml")
MAX_LEVELS = 3
MOST_NAMED = 10_000
"""Sitemaps that are read out of a robots.txt, before budgets."""
_BLANK = b"\xef\xbb\xbf\r\n\t "
# References to entities of a document's own, which a parser without a tree would expand; and to halves of characters,
# which lxml takes and cannot give back.
_REFERENCES = re.compile(
    rb"&(?:(?!(?:amp|lt|gt|quot|apos);)[A-Za-z_:\x80-\xff][\w.:\x80-\xff-]*+"
    rb"|#[xX]0*+[dD][89a-fA-F][0-9a-fA-F]{2}|#0*+5(?:5[3-9]|6\d|7[0-3])\d\d);"
)
_LONGEST_REFERENCE = 60_000
"""Longer names are refused by the parser."""
_ENTRIES = frozenset({"url", "sitemap"})
_FIELDS = frozenset({"loc", "lastmod", "publication_date", "title", "language"})


@dataclass(frozen=True, slots=True)
class Sitemap:
    children: list[Entry] = field(default_factory=list)
    """Further sitemaps."""
    pages: list[Entry] = field(default_factory=list)


class SitemapReader:
    """Reads a sitemap piece by piece, until ``full``: memory is that of its entries, however large it is.

    Whatever it says; nothing where it is none. Never raises, expands no entities, fetches nothing.
    """

    def __init__(self, url: str, entries: int = MAX_ENTRIES) -> None:
        self.sitemap = Sitemap()
        self._url = url
        self._left = min(entries, MAX_ENTRIES)
        self._reader: _Elements | _Lines | None = None

    @property
    def full(self) -> bool:
        """Whether no more will be read."""
        return self._reader is not None and self._reader.over

    @property
    def counted(self) -> int:
        """Entries so far, those without an address included."""
        return 0 if self._reader is None else self._reader.counted

    def feed(self, piece: bytes) -> None:
        if self._reader is None:
            piece = piece.lstrip(_BLANK)
            if not piece:
                return
            kind = _Elements if piece.startswith(b"<") else _Lines
            self._reader = kind(self.sitemap, self._url, self._left)
        if not self.full:
            self._reader.feed(piece)

    def close(self) -> Sitemap:
        if self._reader is not None:
            self._reader.finish()
        return self.sitemap


def parse_sitemap(body: bytes, url: str) -> Sitemap:
    """A whole sitemap at once.

    >>> body = b"<urlset><url><loc>/a</loc><lastmod>2026-11-16</lastmod></url><url><loc>/b</loc>"
    >>> [(entry.url, entry.modified) for entry in parse_sitemap(body, "https://a.example/sitemap.xml").pages]
    [('https://a.example/a', '2026-11-16'), ('https://a.example/b', None)]
    """
    reader = SitemapReader(url)
    for piece in pieces(body):
        reader.feed(piece)
        if reader.full:
            break
    return reader.close()


def from_robots(body: bytes, url: str) -> list[str]:
    """The sitemaps that a robots.txt names, each once; those of news first, since not all of them may be read.

    >>> from_robots(b"User-agent: *\\nSitemap: /all.xml\\nSitemap: /news.xml", "https://a.example/robots.txt")
    ['https://a.example/news.xml', 'https://a.example/all.xml']
    """
    from scrapy.utils.sitemap import sitemap_urls_from_robots  # sitemaps can be read without Scrapy

    named = (absolute(url, place[:MAX_VALUE]) for place in sitemap_urls_from_robots(body))
    places = dict.fromkeys(place for place in islice(named, MOST_NAMED) if place)
    return sorted(places, key=lambda place: not is_for_news(place))


class _Elements:
    """A parser target: entries are made as their elements end, and forgotten but for what they say."""

    def __init__(self, sitemap: Sitemap, url: str, entries: int) -> None:
        self.found = {"url": sitemap.pages, "sitemap": sitemap.children}
        self.url = url
        self.left = entries
        self.counted = 0
        self.elements = 0
        self.over = entries <= 0
        self.held_back = b""
        self.path: list[str] = []
        self.texts: dict[str, str] = {}
        self.text = ""
        # ``recover`` reads a cut-off or ill-formed file as far as it goes; entities stay unexpanded.
        self.parser = etree.XMLParser(  # type: ignore[call-overload]
            target=self, recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )

    def feed(self, piece: bytes) -> None:
        piece = self.held_back + piece
        begun = piece.rfind(b"&")
        whole = begun < 0 or b";" in piece[begun:] or len(piece) - begun > _LONGEST_REFERENCE
        self.held_back = b"" if whole else piece[begun:]
        self.parse(piece if whole else piece[:begun])

    def parse(self, piece: bytes) -> None:
        # In wide characters references cannot be seen here; the protocol knows UTF-8 alone.
        self.over = self.over or b"\0" in piece
        try:
            if piece and not self.over:
                self.parser.feed(_REFERENCES.sub(b"", piece))
        except (etree.XMLSyntaxError, LookupError, ValueError):  # impossible characters, encodings that do not exist
            self.over = True

    def finish(self) -> None:
        self.parse(self.held_back)
        try:
            self.parser.close()
        except (etree.XMLSyntaxError, LookupError, ValueError):
            self.over = True
        if self.texts or self.text:  # it breaks off within an entry
            self.take_text()
            self.finish_entry()

    def close(self) -> None:
        """The parser's word for its own end."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.elements += 1
        self.over = self.over or self.elements > MAX_ELEMENTS or len(self.path) >= MAX_DEPTH
        if not self.over:
            self.take_text()
            self.path.append(_name(tag))

    def data(self, text: str) -> None:
        if len(self.path) > 2 and len(self.text) < MAX_VALUE and not self.over:
            self.text += text[:MAX_VALUE]

    def end(self, tag: str) -> None:
        if self.over or not self.path:
            return
        self.take_text()
        if len(self.path) == 2:
            self.finish_entry()
        self.path.pop()

    def take_text(self) -> None:
        text, self.text = self.text.strip()[:MAX_VALUE], ""
        if text and self.path[1] in _ENTRIES and self.path[-1] in _FIELDS:
            self.texts.setdefault(self.path[-1], text)

    def finish_entry(self) -> None:
        texts, self.texts = self.texts, {}
        if self.path[1] not in _ENTRIES or self.counted >= self.left:
            return
        self.counted += 1
        self.over = self.counted >= self.left
        url = absolute(self.url, texts.get("loc", ""))
        if url is not None and "loc" in texts:
            self.found[self.path[1]].append(
                Entry(
                    url=url,
                    modified=machine_date(texts.get("lastmod")),
                    published=machine_date(texts.get("publication_date")),
                    title=texts.get("title"),
                    language=texts.get("language"),
                )
            )


class _Lines:
    """A sitemap of plain text: an address per line."""

    def __init__(self, sitemap: Sitemap, url: str, entries: int) -> None:
        self.pages = sitemap.pages
        self.left = entries
        self.counted = 0
        self.words = 0
        self.begun = b""

    @property
    def over(self) -> bool:
        return self.counted >= self.left or self.words >= MAX_ELEMENTS

    def feed(self, piece: bytes) -> None:
        lines = (self.begun + piece).split()
        ends = piece[-1:].isspace() or not lines
        # What never ends is no address, and is not added to for ever.
        self.begun = b"" if ends else lines.pop()[: MAX_VALUE + 1]
        self.words += len(lines)
        self.take(lines)

    def finish(self) -> None:
        self.take([self.begun])

    def take(self, lines: list[bytes]) -> None:
        for line in lines:
            if line.startswith((b"http://", b"https://")) and len(line) <= MAX_VALUE and not self.over:
                self.counted += 1
                self.pages.append(Entry(line.decode("utf-8", "replace")))


def _name(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower()
