"""What a body's first bytes, its header and its markup say of its encoding, in the names of the Encoding Standard."""

from __future__ import annotations

import codecs
import re
from functools import cache

import webencodings
from w3lib.encoding import read_bom, to_unicode
from webencodings.labels import LABELS

UTF_8 = "utf-8"
WINDOWS_1252 = "windows-1252"
SEARCHED_BYTES = 16_384
"""Browsers look at the first 1,024 bytes at least; scripts before the declaration are common."""

# What these labels stand for is not text: browsers show nothing, or characters for private use.
_NO_TEXT = frozenset({"replacement", "x-user-defined"})
_WIDE = ("utf-16le", "utf-16be")
_FIRST_OF_WIDE = {b"<\0": _WIDE[0], b"\0<": _WIDE[1]}
# Python's names, where they mean less than the standard's: its own GBK lacks what GB18030 has, its EUC-JP lacks
# circled digits and the like, which pages use.
_CODECS = {"gbk": ("gb18030",), "euc-jp": ("euc_jp", "euc_jis_2004")}

_HEADER = re.compile(r"""(?:^|[;,\s])charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)
_PLACE = re.compile(rb"<!--.*?(?:-->|\Z)|<(?:meta(?=[\s/])|\?xml\s)([^>]*)|<(body)\b", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(
    rb"""(?<![^\s/"'])([a-z-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]++))""", re.IGNORECASE | re.DOTALL
)
_CONTENT = re.compile(rb"""charset\s*+=\s*+["']?\s*+([^\s"';,]++)""", re.IGNORECASE)


def encoding_of(label: str) -> str | None:
    """The encoding that a label stands for on the Web; None where it stands for none.

    >>> encoding_of("Latin1"), encoding_of(" x-sjis "), encoding_of("ks_c_5601-1987"), encoding_of("unicode")
    ('windows-1252', 'shift_jis', 'euc-kr', 'utf-16le')
    >>> encoding_of("base64"), encoding_of("utf-7"), encoding_of("hz-gb-2312"), encoding_of("")
    (None, None, None, None)
    """
    # A surrogate, or a letter of another script, is no label and would not pass the look-up.
    found = webencodings.lookup(label) if label.isascii() else None
    return None if found is None or found.name in _NO_TEXT else str(found.name)


@cache
def _encodings_by_codec() -> dict[str, str]:
    names = sorted({*LABELS.values()} - _NO_TEXT)
    return {codecs.lookup(codec).name: name for name in names for codec in codec_names(name)}


def encoding_of_codec(name: str) -> str | None:
    """The Web's encoding that one of Python's names stands for; None where it stands for none.

    >>> encoding_of_codec("latin-1"), encoding_of_codec("cp949"), encoding_of_codec("cp437"), encoding_of_codec("rot13")
    ('windows-1252', 'euc-kr', None, None)
    """
    found = encoding_of(name)
    if found is not None:
        return found
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return encoding_of(codec) or _encodings_by_codec().get(codec)


def codec_names(encoding: str) -> tuple[str, ...]:
    """Python's codecs for an encoding, the one to try first in front.

    >>> codec_names("shift_jis"), codec_names("windows-1252"), codec_names("gbk")
    (('cp932',), ('cp1252',), ('gb18030',))
    """
    special = _CODECS.get(encoding)
    if special is not None:
        return special
    found = webencodings.lookup(encoding)
    # A byte order mark can tell of UTF-32, which the standard does not have.
    return (encoding if found is None else str(found.codec_info.name),)


def read_as(body: bytes, encoding: str) -> str:
    """The text of a body in an encoding; what does not fit becomes U+FFFD."""
    first, *others = codec_names(encoding)
    text = to_unicode(body, first)
    for other in others:
        if "\ufffd" in text:
            text = min(text, to_unicode(body, other), key=errors_in)
    return text


def errors_in(text: str) -> int:
    return text.count("\ufffd")


def marked_encoding(body: bytes) -> tuple[str, int] | None:
    """The encoding that the first bytes are a mark of, and the length of the mark.

    >>> marked_encoding("\\ufeff<p>".encode("utf-16-be")), marked_encoding("<p>".encode("utf-16-le"))
    (('utf-16be', 2), ('utf-16le', 0))
    """
    name, mark = read_bom(body)
    if name is not None and mark is not None:
        return encoding_of(name.replace("16-", "16")) or name, len(mark)
    wide = _FIRST_OF_WIDE.get(body[:2])
    return None if wide is None else (wide, 0)


def header_encoding(content_type: str | None, body: bytes) -> str | None:
    """What a Content-Type header declares; UTF-16 is believed where the body has zero bytes.

    >>> header_encoding('text/html; charset="Shift-JIS"', b""), header_encoding("text/html; charset=rot13", b"")
    ('shift_jis', None)
    """
    match = _HEADER.search(content_type) if content_type else None
    found = encoding_of(match[1]) if match else None
    return None if found in _WIDE and b"\0" not in body[:SEARCHED_BYTES] else found


def meta_encoding(body: bytes) -> str | None:
    """What a meta element or an XML declaration declares, the first that names an encoding.

    >>> meta_encoding(b"<meta charset=base64><meta http-equiv=Content-Type content='text/html; charset=koi8-r'>")
    'koi8-r'
    >>> meta_encoding(b"<meta name=description content='charset=koi8-r'>"), meta_encoding(b"<meta charset=utf-16>")
    (None, 'utf-8')
    """
    start = body[:SEARCHED_BYTES]
    for place in _PLACE.finditer(start):
        if place[2]:
            break
        label = _label(place[1]) if place[1] else None
        found = encoding_of(label.decode("latin-1")) if label else None
        if found is not None:
            # Who could read the declaration has not read UTF-16.
            return UTF_8 if found in _WIDE else found
    return None


def attributes_of(tag: bytes) -> dict[bytes, bytes]:
    """The attributes of a start tag by their names in lower case.

    >>> attributes_of(b"Lang='de' dir=ltr hidden")
    {b'lang': b'de', b'dir': b'ltr'}
    """
    return {match[1].lower(): match[2] or match[3] or match[4] or b"" for match in _ATTRIBUTE.finditer(tag)}


def _label(tag: bytes) -> bytes | None:
    values = attributes_of(tag)
    label = values.get(b"charset") or values.get(b"encoding")
    if label is None and b"content" in values and values.get(b"http-equiv", b"").lower().startswith(b"content-type"):
        match = _CONTENT.search(values[b"content"])
        label = match[1] if match else None
    return label
