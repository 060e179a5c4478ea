"""What people have in hand of a page, as a ``Page``: text, bytes, a response, a selector, a tree.

Responses and selectors are known by what they have, so that nothing is imported for them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from lxml import etree

from cleancrawl.core.html.decode import decode_source
from cleancrawl.core.page import Page

if TYPE_CHECKING:
    from lxml.etree import _Element, _ElementTree

ACCEPTED = "str, bytes, a response (with url, headers and bytes as body or content), a Selector of HTML or an lxml tree"
_STATUS = ("status", "status_code")
_CHARSET = re.compile(r";\s*charset\s*=", re.IGNORECASE)
# What Scrapy, requests and httpx say of pages that declare nothing: guesses, which are left to ``decode``.
_GUESSES = frozenset({"ascii", "utf-8", "cp1252", "windows-1252", "iso-8859-1", "latin-1"})


class ResponseLike(Protocol):
    """A response of Scrapy (``body``), requests or httpx (``content``)."""

    @property
    def url(self) -> Any: ...

    @property
    def headers(self) -> Any: ...


class SelectorLike(Protocol):
    """A selector of parsel or Scrapy."""

    @property
    def root(self) -> Any: ...


if TYPE_CHECKING:
    PageInput = str | bytes | bytearray | memoryview | ResponseLike | SelectorLike | _Element | _ElementTree[Any]


def load_page(given: PageInput, url: str | None = None) -> Page:
    """A page from what is given; its address is ``url``, else the given thing's own.

    A response is decoded by its headers, a tree is read and left unchanged. Raises ``TypeError`` on anything else.
    """
    if isinstance(given, str):
        return Page(given, url)
    if isinstance(given, (bytes, bytearray, memoryview)):
        return page_of(bytes(given), url)
    if isinstance(given, (etree._Element, etree._ElementTree)):
        return _from_tree(given, url)
    if isinstance(getattr(given, "root", None), etree._Element):
        # The tree of Scrapy's selector has the address of the page's base element, its response that of the page.
        own = getattr(getattr(given, "response", None), "url", None)
        return _from_tree(given.root, url or own)  # type: ignore[union-attr]
    # The status tells a response from a request, which has the rest, too.
    if all(hasattr(given, name) for name in ("url", "headers")) and any(hasattr(given, name) for name in _STATUS):
        return _from_response(given, url)  # type: ignore[arg-type]
    raise TypeError(f"html must be {ACCEPTED}, not {type(given).__name__}")


def _from_tree(tree: _Element | _ElementTree[Any], url: str | None) -> Page:
    whole = tree if isinstance(tree, etree._ElementTree) else tree.getroottree()
    if whole.getroot() is None:  # no element at all, or a comment alone
        return Page("", url)
    own = whole.docinfo.URL
    # Written out and read again: a tree from elsewhere may be XML, a part of a page, or made by another parser.
    html = etree.tostring(tree, method="html", encoding="unicode", with_tail=False)
    return Page(html, url or (own if own and own.startswith(("http://", "https://")) else None))


def _from_response(response: ResponseLike, url: str | None) -> Page:
    body = next((found for name in ("body", "content") if _is_bytes(found := getattr(response, name, None))), None)
    if body is None:
        raise TypeError(f"html must be {ACCEPTED}; this {type(response).__name__} has no bytes")
    return page_of(bytes(body), url or str(response.url or "") or None, _content_type(response))


def page_of(body: bytes, url: str | None, content_type: str | None = None) -> Page:
    """The page of a body, decoded by the header and by what it says itself."""
    text, encoding, encoded = decode_source(body, content_type)
    page = Page(text, url, encoding)
    if page.html is text:
        page.encoded = encoded
    return page


def _is_bytes(value: object) -> bool:
    return isinstance(value, (bytes, bytearray, memoryview))


def _content_type(response: ResponseLike) -> str | None:
    """The header, or the encoding that was set on the response by hand, where the header names none."""
    headers = response.headers
    found = next((value for name in ("Content-Type", "content-type") if (value := headers.get(name))), "")
    header = found.decode("latin-1") if isinstance(found, bytes) else str(found)
    encoding = getattr(response, "encoding", None)
    if _CHARSET.search(header) or not isinstance(encoding, str) or encoding.lower() in _GUESSES:
        return header or None
    return f"text/html; charset={encoding}"
