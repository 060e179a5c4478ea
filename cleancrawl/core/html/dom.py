"""Helpers for lxml trees."""

from __future__ import annotations

from html import escape
from itertools import islice
from threading import local

from lxml import etree
from lxml.html import HtmlElement, HTMLParser

from cleancrawl.core.html.head import feed, source_bytes
from cleancrawl.core.html.tags import CODE_TAGS
from cleancrawl.core.native import compiled

MOST_ATTRIBUTES = 256
"""What an element of a tree has at most. libxml2 and lxml look attributes up in a list: 50,000 on one element, which a
page of 1 MB can have, cost them ten seconds."""
ATTRIBUTES_OF_A_TREE = 200_000
"""About so many has a tree at most; each takes up to 300 bytes. Pages below ``_LARGE`` cannot have many more."""
LARGEST_TREE = 4_000_000
"""Bytes of a source for which a tree is worth its memory, which is about ten times as much."""
_LARGE = 1_000_000
_FEWEST_ATTRIBUTES = 4
_VOID = frozenset({"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param"})
_EMPTY = b"<html><body></body></html>"
_compiled = compiled("start_tags")


def parse_tree(html: str) -> HtmlElement:
    """Parse any text into a tree with an ``html`` root; never raises.

    >>> parse_tree("").tag, parse_tree("<p>a").tag
    ('html', 'html')
    """
    source = source_bytes(html)
    most = _attributes_each(source)
    if most < MOST_ATTRIBUTES or is_wide(source):
        source = source_bytes(_slim(source, most))
    root = parse_source(source)
    return root if root is not None else parse_source(_EMPTY)  # type: ignore[return-value]


def _parser() -> HTMLParser:
    # Of bytes with a stated encoding: lxml refuses a str that carries an XML encoding declaration. Without the table of
    # ids, which takes a twentieth of a parse, and which nothing here asks.
    return HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False)


class _Parsers(local):
    """A parser for each thread: to make one takes a thirtieth of a page's time."""

    def __init__(self) -> None:
        self.parser = _parser()


_parsers = _Parsers()


def parse_source(source: bytes) -> HtmlElement | None:
    """The root of a source in UTF-8, None where that is empty. Mind ``fits_tree``."""
    # A parser keeps its list of errors until it is used again, which can be long.
    parser = _parsers.parser if len(source) < _LARGE else _parser()
    try:
        root = etree.fromstring(source, parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    return root if isinstance(root, HtmlElement) else None


def fits_tree(source: bytes) -> bool:
    """Whether a tree of a source costs neither much memory nor much time.

    >>> fits_tree(b"<p>text"), fits_tree(b"<p " + b" ".join(b"a%d" % number for number in range(1000)) + b">text")
    (True, False)
    """
    return len(source) <= LARGEST_TREE and not is_wide(source)


def is_wide(source: bytes) -> bool:
    """Whether an element of a source has more than ``MOST_ATTRIBUTES``."""
    if _compiled:
        return bool(_compiled.is_wide(source, MOST_ATTRIBUTES))
    target = _Widest()
    feed(source, target)
    return target.attributes > MOST_ATTRIBUTES


def _attributes_each(source: bytes) -> int:
    """How many attributes an element may have, so that there are not too many in all."""
    if len(source) < _LARGE:
        return MOST_ATTRIBUTES
    target = _Widest()
    feed(source, target)
    if target.total <= ATTRIBUTES_OF_A_TREE:
        return MOST_ATTRIBUTES
    return min(MOST_ATTRIBUTES, max(_FEWEST_ATTRIBUTES, ATTRIBUTES_OF_A_TREE // target.elements))


class _Widest:
    """A parser target that counts attributes, to which it has hashed access."""

    def __init__(self) -> None:
        self.attributes = self.total = self.elements = 0

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self.elements += 1
        self.total += len(attrs)
        if len(attrs) > self.attributes:
            self.attributes = len(attrs)

    def close(self) -> None:
        pass


class _Slim:
    """A parser target that writes the page again with the first attributes of each element."""

    def __init__(self, most: int) -> None:
        self.parts: list[str] = []
        self.raw = False
        self.most = most

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        # An empty value would cost the tree a node.
        kept = (
            f' {name}="{escape(value)}"' if value else f" {name}" for name, value in islice(attrs.items(), self.most)
        )
        self.parts.append(f"<{tag}{''.join(kept)}>")
        self.raw = tag in CODE_TAGS

    def end(self, tag: str) -> None:
        self.raw = False
        if tag not in _VOID:
            self.parts.append(f"</{tag}>")

    def data(self, data: str) -> None:
        self.parts.append(data if self.raw else escape(data, quote=False))

    def close(self) -> None:
        pass


def _slim(source: bytes, most: int) -> str:
    target = _Slim(most)
    feed(source, target)
    return "".join(target.parts)
