"""From bytes to text, as browsers do: BOM, header, meta, then detection."""

from __future__ import annotations

import re
from contextlib import suppress

from w3lib.encoding import html_to_unicode

# The first two bytes of typographic quotes and dashes, read one by one: no text has these characters side by side.
_FIRST = "\u00e2"
_TWICE = (f"{_FIRST}\u20ac", f"{_FIRST}\u0080")
_NO_CHANCE = 16  # bytes: so many pairs of another encoding are not valid UTF-8 by chance, two or three can be
_SURE = 3  # a page that only speaks of the fault has it once or twice
_SINGLE_BYTES = bytes(range(0x80, 0xA0)).decode("cp1252", "replace").replace("\ufffd", "")
_REST = rf"[\u0080-\u00bf{re.escape(_SINGLE_BYTES)}]"
_MISREAD = re.compile(rf"[\u00c2-\u00df]{_REST}|[\u00e0-\u00ef]{_REST}{{2}}|[\u00f0-\u00f4]{_REST}{{3}}")


def decode(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """The text of a body and the name of its encoding; never raises.

    >>> decode("größer".encode("utf-8"))
    ('größer', 'utf-8')
    >>> decode("größer".encode("latin-1"))
    ('größer', 'cp1252')
    >>> decode("привет".encode("cp1251"), "text/html; charset=windows-1251")
    ('привет', 'cp1251')
    >>> decode("größer".encode("utf-8"), "text/html; charset=iso-8859-1")
    ('größer', 'utf-8')
    >>> decode("北京四月二十四日电".encode("utf-8"), "text/html; charset=gbk")
    ('北京四月二十四日电', 'utf-8')
    >>> decode("联通".encode("gbk"), "text/html; charset=gbk")
    ('联通', 'gb18030')
    """
    encoding, text = html_to_unicode(content_type, body, auto_detect_fun=_detect, default_encoding="cp1252")
    if encoding != "utf-8" and not body.isascii():
        # Servers claim Latin-1 out of habit, and saved pages keep the claim of their source; what is valid UTF-8 was
        # hardly ever written as anything else.
        with suppress(UnicodeDecodeError):
            unicode = body.decode("utf-8")
            if encoding == "cp1252" or len(body) - len(unicode) >= _NO_CHANCE:
                return unicode, "utf-8"
    return text, encoding


def _detect(body: bytes) -> str | None:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body cut off inside a character is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else None
    return "utf-8"


def repaired(text: str) -> str:
    """A text in which UTF-8 was once read as Latin-1 and written again, as it was before.

    >>> repaired("donâ€™t, itâ€™s, weâ€™re: cafÃ©Â!")
    'don’t, it’s, we’re: caféÂ!'
    >>> repaired("how â€™ comes about"), repaired("Ângström")
    ('how â€™ comes about', 'Ângström')
    """
    # Few pages have the first character at all, and a single one is found four times as fast as a pair.
    if text.isascii() or (start := text.find(_FIRST)) < 0 or max(text.count(pair, start) for pair in _TWICE) < _SURE:
        return text
    return _MISREAD.sub(_read_again, text)


def _read_again(match: re.Match[str]) -> str:
    found = match.group()
    try:
        return b"".join(_byte(character) for character in found).decode("utf-8")
    except UnicodeError:
        return found


def _byte(character: str) -> bytes:
    return character.encode("latin-1" if character < "\u0100" else "cp1252")
