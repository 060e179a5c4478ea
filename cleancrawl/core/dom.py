"""Helpers for lxml trees."""

from __future__ import annotations

from html import escape
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement, HTMLParser

from cleancrawl.core.head import feed

MOST_ATTRIBUTES = 256
"""What an element of a tree has at most. libxml2 and lxml look attributes up in a list: 50,000 on one element, which a
page of 1 MB can have, cost them ten seconds."""
_RAW = frozenset({"script", "style"})
_VOID = frozenset({"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param"})
_EMPTY = "<html><body></body></html>"


def parse_tree(html: str) -> HtmlElement:
    """Parse any text into a tree with an ``html`` root; never raises.

    >>> parse_tree("").tag, parse_tree("<p>a").tag
    ('html', 'html')
    """
    root = _parse(_slim(html) if _widest(html) > MOST_ATTRIBUTES else html)
    return root if root is not None else _parse(_EMPTY)  # type: ignore[return-value]


def _parse(html: str) -> HtmlElement | None:
    # Bytes with a stated encoding: lxml refuses a str that carries an XML encoding declaration.
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    body = html.replace("\x00", "").encode("utf-8", "replace")
    try:
        root = etree.fromstring(body, parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    return root if isinstance(root, HtmlElement) else None


class _Widest:
    """A parser target that counts attributes, to which it has hashed access."""

    def __init__(self) -> None:
        self.attributes = 0

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if len(attrs) > self.attributes:
            self.attributes = len(attrs)

    def close(self) -> None:
        pass


def _widest(html: str) -> int:
    """The most attributes of one element."""
    target = _Widest()
    feed(html, target)
    return target.attributes


class _Slim:
    """A parser target that writes the page again with the first attributes of each element."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.raw = False

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        kept = (f' {name}="{escape(value)}"' for name, value in islice(attrs.items(), MOST_ATTRIBUTES))
        self.parts.append(f"<{tag}{''.join(kept)}>")
        self.raw = tag in _RAW

    def end(self, tag: str) -> None:
        self.raw = False
        if tag not in _VOID:
            self.parts.append(f"</{tag}>")

    def data(self, data: str) -> None:
        self.parts.append(data if self.raw else escape(data, quote=False))

    def close(self) -> None:
        pass


def _slim(html: str) -> str:
    target = _Slim()
    feed(html, target)
    return "".join(target.parts)
