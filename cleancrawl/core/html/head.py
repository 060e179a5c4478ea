"""What a page says about itself: title, meta elements, links, JSON-LD, found without a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from lxml import etree

from cleancrawl.core.html.json_ld import load


@dataclass(slots=True)
class Head:
    """Raw facts; what they mean is decided in ``metadata``. A segmenter that parses anyway fills one on the way."""

    title: str = ""
    language: str | None = None
    base: str | None = None
    meta: list[tuple[str, str]] = field(default_factory=list)
    """(name, property, itemprop or http-equiv in lower case; content), in document order."""
    links: list[tuple[str, str, str]] = field(default_factory=list)
    """(rel in lower case, href, type) of ``link`` elements."""
    json_ld: list[str] = field(default_factory=list)
    """The source of each ``script type=application/ld+json``."""
    _values: list[Any] | None = field(default=None, repr=False, compare=False)

    @property
    def linked_data(self) -> list[Any]:
        """The values of those JSON-LD scripts that can be read; parsed on first use, once for all who ask."""
        if self._values is None:
            self._values = [value for value in map(load, self.json_ld) if value is not None]
        return self._values


def primary_language(tag: str | None) -> str | None:
    """The primary subtag of a language tag, or None where there is none.

    >>> primary_language("de-AT"), primary_language("EN_us"), primary_language(""), primary_language("x")
    ('de', 'en', None, None)
    """
    subtag = (tag or "").strip().replace("_", "-").split("-")[0].lower()
    return subtag if subtag.isalpha() and 2 <= len(subtag) <= 3 else None


class HeadCollector:
    """A parser target's share of the work: call ``start`` for every element and ``data``/``end`` as they come.

    Only ``html``, ``base``, ``meta``, ``link``, ``title`` and JSON-LD scripts are of interest.
    """

    tags = frozenset({"html", "base", "meta", "link", "title", "script"})

    def __init__(self) -> None:
        self.head = Head()
        self.text: list[str] | None = None
        self._is_title = False

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        head = self.head
        if tag == "meta":
            content = attrs.get("content")
            if content is not None:
                for key in ("property", "name", "itemprop", "http-equiv"):
                    name = attrs.get(key)
                    if name:
                        head.meta.append((name.strip().lower(), content))
        elif tag == "link":
            rel, href = attrs.get("rel"), attrs.get("href")
            if rel and href:
                head.links.append((rel.strip().lower(), href.strip(), attrs.get("type", "").strip().lower()))
        elif tag == "html":
            head.language = head.language or primary_language(attrs.get("lang") or attrs.get("xml:lang"))
        elif tag == "base":
            head.base = head.base or attrs.get("href")
        elif tag == "title":
            if not head.title:
                self.text, self._is_title = [], True
        elif attrs.get("type", "").strip().lower() == "application/ld+json":
            self.text, self._is_title = [], False

    def data(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)

    def end(self, tag: str) -> None:
        if self.text is None or tag not in ("title", "script"):
            return
        text = "".join(self.text)
        if self._is_title:
            self.head.title = " ".join(text.split())
        elif text.strip():
            self.head.json_ld.append(text)
        self.text = None

    def comment(self, text: str) -> None:
        pass

    def close(self) -> Head:
        head = self.head
        if head.language is None:
            declared = dict(reversed(head.meta))
            head.language = primary_language(declared.get("content-language") or declared.get("og:locale"))
        return head


def scan_head(html: str) -> Head:
    """Collect the head of any page; never raises.

    >>> head = scan_head('<html lang="de-DE"><title> A &amp; B </title><meta property="og:type" content="article">')
    >>> head.title, head.language, head.meta
    ('A & B', 'de', [('og:type', 'article')])
    """
    collector = HeadCollector()
    feed(html, collector)
    return collector.close()


def source_bytes(html: str) -> bytes:
    """A page as the parser takes it."""
    return without_nulls(html.encode("utf-8", "replace"))


def without_nulls(source: bytes) -> bytes:
    """A page in UTF-8 as the parser takes it."""
    # Looked for in the bytes: in a text of two bytes per character every second one is a false trace.
    return source.replace(b"\x00", b"") if b"\x00" in source else source


_MANY_PIECES = 100_000
"""Brackets and character references from which on texts are joined before anybody keeps their pieces."""


def feed(source: str | bytes, target: Any, *, joined: bool = True) -> None:
    """Send a page's parse events to a target; broken markup never raises.

    Without ``joined`` a text may come in many pieces, which costs less time where a target keeps none of them.
    """
    source = source_bytes(source) if isinstance(source, str) else source
    if joined and hasattr(target, "data") and source.count(b"<") + source.count(b"&") > _MANY_PIECES:
        target = _Joining(target)
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    try:
        parser.feed(source)
        parser.close()
    except etree.XMLSyntaxError:
        pass  # an empty page; libxml2 recovers from everything else


class _Joining:
    """A parser target that joins the pieces of a text before another target sees them.

    The parser cuts texts at brackets that are no tags and at character references. As objects, the pieces of a page
    that has nothing else take fifty times its size.
    """

    def __init__(self, target: Any) -> None:
        self._target, self._text, self._waits = target, StringIO(), False
        for name in ("comment", "pi"):
            # A parser tells of these only where a target wants to know.
            if hasattr(target, name):
                setattr(self, name, self._then(getattr(target, name)))

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if self._waits:
            self._flush()
        self._target.start(tag, attrs)

    def end(self, tag: str) -> None:
        if self._waits:
            self._flush()
        self._target.end(tag)

    def data(self, data: str) -> None:
        self._text.write(data)
        self._waits = True

    def close(self) -> Any:
        if self._waits:
            self._flush()
        return self._target.close()

    def _then(self, call: Callable[..., object]) -> Callable[..., None]:
        def flush_and_call(*given: object) -> None:
            if self._waits:
                self._flush()
            call(*given)

        return flush_and_call

    def _flush(self) -> None:
        text = self._text.getvalue()
        self._text, self._waits = StringIO(), False
        self._target.data(text)
