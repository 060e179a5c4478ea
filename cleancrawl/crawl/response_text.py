"""The text of a response as ``clean`` reads it, for all that a crawl does with the page."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from scrapy.http import HtmlResponse

from cleancrawl.core.html.declared_encoding import (
    UTF_8,
    codec_names,
    encoding_of_codec,
    header_encoding,
    meta_encoding,
)
from cleancrawl.core.html.decode import decode

_known: WeakKeyDictionary[HtmlResponse, str] = WeakKeyDictionary()
"""The encodings of responses whose own text is right: each comes to be decoded twice."""


class Decoded(NamedTuple):
    text: str
    encoding: str
    response: HtmlResponse
    """Whose selectors and links are of this text: the response that came, or a copy that is told the encoding."""


def decoded(response: HtmlResponse) -> Decoded:
    """The text of a response. Scrapy believes a wrong charset, and guesses otherwise where there is none."""
    if (known := _known.get(response)) is not None:
        return Decoded(response.text, known, response)
    found = _decoded(response)
    if found.response is response:
        _known[response] = found.encoding
    return found


def _decoded(response: HtmlResponse) -> Decoded:
    stated = stated_encoding(response)
    label = encoding_of_codec(stated) if stated else None
    if stated and label is None and (text := _text_of(response)) is not None:
        # None of the Web's: whoever set it by hand knows why.
        return Decoded(text, stated, response)
    content_type = f"text/html; charset={label}" if label else _content_type(response)
    declared = header_encoding(content_type, response.body) or meta_encoding(response.body)
    # The same text, which Scrapy keeps for the spider's selectors: decoded once instead of twice.
    if declared == UTF_8 and response.encoding == UTF_8 and "\ufffd" not in response.text:
        return Decoded(response.text, UTF_8, response)
    text, encoding = decode(response.body, content_type)
    # Where nothing is declared Scrapy guesses, which takes many times as long: it is not asked to.
    if (declared is not None or encoding == UTF_8) and _text_of(response) == text:
        return Decoded(response.text, encoding, response)
    return Decoded(text, encoding, _told(response, codec_names(encoding)[0]))


def _told(response: HtmlResponse, encoding: str) -> HtmlResponse:
    """A copy with another encoding. ``response.replace`` would first find out the one that it replaces, by a guess."""
    others = {name: getattr(response, name) for name in response.attributes if name != "encoding"}
    return type(response)(**others, encoding=encoding)


def _text_of(response: HtmlResponse) -> str | None:
    """What Scrapy reads; None where it takes the charset for one of Python's codecs that give no text."""
    try:
        text: str = response.text
    except (LookupError, UnicodeError, ValueError):
        return None
    return text


def stated_encoding(response: HtmlResponse) -> str | None:
    """The encoding that a downloader, a middleware or a spider gave a response by hand."""
    stated: str | None = getattr(response, "_encoding", None)
    return stated


def _content_type(response: HtmlResponse) -> str | None:
    value: bytes | None = response.headers.get("Content-Type")
    return None if value is None else value.decode("latin-1")
