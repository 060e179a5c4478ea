"""From bytes to text, as browsers do: first bytes, header, meta, then detection."""

from __future__ import annotations

import re

from cleancrawl.core.html.declared_encoding import (
    UTF_8,
    WINDOWS_1252,
    errors_in,
    header_encoding,
    marked_encoding,
    meta_encoding,
    read_as,
)
from cleancrawl.core.html.guessed_encoding import SEVERAL_BYTES, guess_encoding

ISO_2022_JP = "iso-2022-jp"
_ESCAPE = b"\x1b"
_JAPANESE_ESCAPE = b"\x1b$"  # which makes two characters of ASCII one of Japanese

# The first two bytes of typographic quotes and dashes, read one by one: no text has these characters side by side.
_FIRST = "\u00e2"
_TWICE = (f"{_FIRST}\u20ac", f"{_FIRST}\u0080")
_SOME = 50  # good characters for each broken one: with fewer, the declaration is in doubt
_MANY = 4  # with fewer, it is wrong; but valid UTF-8 beside something else, as from a quoted mail, is no chance
_CLEARLY = 10  # times fewer broken characters make another encoding the right one
_NO_CHANCE = 16  # bytes: so many pairs of another encoding are not valid UTF-8 by chance, two or three can be
_SURE = 3  # a page that only speaks of the fault has it once or twice
_SINGLE_BYTES = bytes(range(0x80, 0xA0)).decode("cp1252", "replace").replace("\ufffd", "")
_REST = rf"[\u0080-\u00bf{re.escape(_SINGLE_BYTES)}]"
_MISREAD = re.compile(rf"[\u00c2-\u00df]{_REST}|[\u00e0-\u00ef]{_REST}{{2}}|[\u00f0-\u00f4]{_REST}{{3}}")


def decode(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """The text of a body and the name of its encoding in the Encoding Standard; never raises.

    >>> decode("größer".encode("utf-8"))
    ('größer', 'utf-8')
    >>> decode("größer".encode("latin-1"))
    ('größer', 'windows-1252')
    >>> decode("привет".encode("cp1251"), "text/html; charset=windows-1251")
    ('привет', 'windows-1251')
    >>> decode("größer".encode("utf-8"), "text/html; charset=iso-8859-1")
    ('größer', 'utf-8')
    >>> decode("北京四月二十四日电".encode("utf-8"), "text/html; charset=gbk")
    ('北京四月二十四日电', 'utf-8')
    >>> decode("联通".encode("gbk"), "text/html; charset=gbk")
    ('联通', 'gbk')
    >>> decode("<p>Съешь ещё этих мягких французских булок".encode("cp1251"))
    ('<p>Съешь ещё этих мягких французских булок', 'windows-1251')
    """
    text, encoding, _ = decode_source(body, content_type)
    return text, encoding


def decode_source(body: bytes, content_type: str | None = None) -> tuple[str, str, bytes | None]:
    """``decode``, and the body itself where it is the text in UTF-8, byte by byte: it need not be encoded again."""
    marked = marked_encoding(body)
    if marked is not None:
        encoding, length = marked
        return read_as(body[length:], encoding), encoding, None
    unicode = _as_utf_8(body)
    more = 0 if unicode is None else len(body) - len(unicode)
    if unicode is not None and more >= _NO_CHANCE and _ESCAPE not in body:
        return _utf_8(unicode, body)  # whatever is declared, as for most pages
    declared = header_encoding(content_type, body) or meta_encoding(body)
    if unicode is not None and _is_utf_8(more, declared):
        if declared is None and _JAPANESE_ESCAPE in body and not errors_in(text := read_as(body, ISO_2022_JP)):
            return text, ISO_2022_JP, None
        return _utf_8(unicode, body)
    if declared is None:
        declared = guess_encoding(body)
        return read_as(body, declared), declared, None
    text = read_as(body, declared)
    return (*_better(body, text, declared), None) if "\ufffd" in text else (text, declared, None)


def _utf_8(text: str, body: bytes) -> tuple[str, str, bytes | None]:
    # What was cut off ends with a character that the body has not.
    return text, UTF_8, None if text.endswith("\ufffd") else body


def _as_utf_8(body: bytes) -> str | None:
    try:
        return body.decode(UTF_8)
    except UnicodeDecodeError as error:
        # A body cut off inside a character is still UTF-8, if it is so before.
        cut_off = error.start >= len(body) - 3 and not body[: error.start].isascii()
        return body.decode(UTF_8, "replace") if cut_off else None


def _is_utf_8(more: int, declared: str | None) -> bool:
    """Whether valid UTF-8 with so many more bytes than characters was meant as such.

    Servers claim Latin-1 out of habit, and saved pages keep the claim of their source; what is valid UTF-8 was hardly
    ever written as anything else.
    """
    return declared in (None, UTF_8) or more >= _NO_CHANCE or (declared == WINDOWS_1252 and more > 0)


def _better(body: bytes, text: str, declared: str) -> tuple[str, str]:
    """The text in another encoding, where a declaration cannot be true: too much of the body does not fit it."""
    errors = errors_in(text)
    good = len(text) - len(text.encode("ascii", "ignore")) - errors
    mostly_wrong = errors > good if declared == UTF_8 else errors * _MANY > good
    if not mostly_wrong and (declared == UTF_8 or errors * _SOME < good):
        return text, declared
    if mostly_wrong and (unicode := _as_utf_8(body)) is not None:
        return unicode, UTF_8
    for encoding in (meta_encoding(body), guess_encoding(body)):
        # Encodings of one byte a character fit whatever comes, so that nothing follows from it.
        if encoding not in (None, declared) and (mostly_wrong or encoding in SEVERAL_BYTES):
            other = read_as(body, encoding)
            if errors_in(other) * _CLEARLY <= errors:
                return other, encoding
    return text, declared


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
