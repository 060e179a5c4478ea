"""The encoding of a body that declares none, told from its bytes as Firefox does."""

from __future__ import annotations

import re

from cleancrawl.core.html.declared_encoding import (
    SEARCHED_BYTES,
    WINDOWS_1252,
    attributes_of,
    codec_names,
    encoding_of_codec,
    errors_in,
    read_as,
)

try:
    from chardetng_py import EncodingDetector
except ImportError:  # no wheel for this Python
    EncodingDetector = None

SOURCE_BYTES = 262_144
TEXT_BYTES = 32_768
"""More text makes the guess hardly better, and takes the detector longer."""
SHARE_OF_ERRORS = 1 / 20
"""Of bytes outside ASCII: pages with some broken characters have less, another encoding has more."""
_FEW = 1 / 10
_ASCII, _HIGH = bytes(range(0x80)), bytes(range(0x80, 0x100))
SEVERAL_BYTES = ("euc-jp", "shift_jis", "gb18030", "big5", "euc-kr")
_MARKUP = re.compile(rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<[a-z/!?][^>]*+>?", re.IGNORECASE | re.DOTALL)
_ROOT = re.compile(rb"<html\s([^>]*+)", re.IGNORECASE)
# The detector is made for browsers, which know a page's top-level domain. Its language tells more, except for English,
# which templates claim for every page.
_DOMAINS = {
    "ar": "sa",
    "be": "by",
    "bg": "bg",
    "cs": "cz",
    "el": "gr",
    "et": "ee",
    "fa": "ir",
    "he": "il",
    "hr": "hr",
    "hu": "hu",
    "ja": "jp",
    "ko": "kr",
    "lt": "lt",
    "lv": "lv",
    "mk": "mk",
    "pl": "pl",
    "ro": "ro",
    "ru": "ru",
    "sk": "sk",
    "sl": "si",
    "sr": "rs",
    "th": "th",
    "tr": "tr",
    "uk": "ua",
    "vi": "vn",
    "zh-cn": "cn",
    "zh-tw": "tw",
    "zh-hk": "hk",
}


def guess_encoding(body: bytes) -> str:
    """The most likely encoding of bytes that are not UTF-8; windows-1252 where nothing speaks for another.

    >>> guess_encoding("<p>Съешь ещё этих мягких французских булок".encode("koi8-r"))
    'koi8-u'
    >>> guess_encoding("<p>今日はいい天気ですね".encode("euc-jp")), guess_encoding("<p>größer".encode("latin-1"))
    ('euc-jp', 'windows-1252')
    """
    if EncodingDetector is None:
        return WINDOWS_1252
    text = text_of(body)
    domain = _domain(body[:SEARCHED_BYTES])
    first = _detected(text, domain)
    return first if first in SEVERAL_BYTES else _with_errors(text, domain) or first


def text_of(body: bytes) -> bytes:
    """As much text of a body as a detector needs, without markup."""
    text = _MARKUP.sub(b"\n", body[:SOURCE_BYTES])[:TEXT_BYTES]
    if text.isascii():
        # What is outside ASCII stands in attributes, in scripts, or far below.
        start = len(body) - len(body.lstrip(_ASCII))
        text = body[max(0, start - TEXT_BYTES // 4) :][:TEXT_BYTES]
    return text


def _domain(start: bytes) -> str:
    """The top-level domain that pages in the declared language have.

    >>> _domain(b"<html lang=hu>"), _domain(b"<html lang='zh-TW'>"), _domain(b"<html lang=en-GB>")
    ('hu', 'tw', '')
    """
    match = _ROOT.search(start)
    language = attributes_of(match[1]).get(b"lang", b"").decode("latin-1").lower() if match else ""
    return _DOMAINS.get(language[:5]) or _DOMAINS.get(language[:2], "")


def _detected(text: bytes, domain: str) -> str:
    detector = EncodingDetector()
    # Not the last bytes: a character may be cut in two at the end.
    detector.feed(text, last=False)
    found = detector.guess(tld=domain.encode() or None, allow_utf8=False)
    return encoding_of_codec(found) or WINDOWS_1252


def _with_errors(text: bytes, domain: str) -> str | None:
    """The encoding of several bytes a character that a text is in but for some broken characters.

    To the detector a single one rules the encoding out, and pages cut their teasers after so many bytes.
    """
    high = len(text) - len(text.translate(None, _HIGH))
    if high < _FEW * len(text):
        return None
    errors = {encoding: errors_in(read_as(text, encoding)) for encoding in SEVERAL_BYTES}
    for encoding in sorted(SEVERAL_BYTES, key=errors.__getitem__):
        if errors[encoding] > SHARE_OF_ERRORS * high:
            break
        codec = codec_names(encoding)[0]
        whole = text.decode(codec, "ignore").encode(codec, "ignore")
        if _detected(whole, domain) == encoding:
            return encoding
    return None
