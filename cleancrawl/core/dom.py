"""Helpers for lxml trees."""

from __future__ import annotations

from lxml import etree
from lxml.html import HtmlElement, HTMLParser

_EMPTY = "<html><body></body></html>"


def parse_tree(html: str) -> HtmlElement:
    """Parse any text into a tree with an ``html`` root; never raises.

    >>> parse_tree("").tag, parse_tree("<p>a").tag
    ('html', 'html')
    """
    root = _parse(html)
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
