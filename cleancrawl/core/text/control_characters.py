"""Control characters: what a page sends to a terminal or a program rather than to a reader."""

from __future__ import annotations

import re

_BLANK = "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85"
"""Those that ``str.split`` takes for white space: they part words."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""C0 but for tabs and line feeds, delete, C1, and halves of characters, which have no form in UTF-8."""

_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""On a terminal also what turns the direction of all that follows, and separators that some take for line ends."""


def without_controls(text: str) -> str:
    """Text without control characters; as good as free of charge where it has none.

    Those of C1 are read as Windows-1252, as browsers do: pages mean dashes and quotation marks by them.

    >>> without_controls("a\\x1b[31mb\\x9b\\x7f\\tc\\n"), without_controls("\\ud83d 😀"), without_controls("a\\x0cb")
    ('a[31mb›\\tc\\n', ' 😀', 'a b')
    """
    # Nothing that is printable is a control character, and most texts are one line of that.
    return text if text.isprintable() else _CONTROL.sub(_replaced, text)


def _replaced(match: re.Match[str]) -> str:
    sign = match[0]
    if sign in _BLANK:
        return " "
    return sign.encode("latin-1").decode("cp1252", "ignore") if "\x80" <= sign <= "\x9f" else ""


def printable_or_none(text: str | None) -> str | None:
    """
    >>> printable_or_none("a\\x1b"), printable_or_none("\\x1b"), printable_or_none(None)
    ('a', None, None)
    """
    return without_controls(text) or None if text else None


def is_clean(text: str) -> bool:
    """Whether a text has no control characters.

    >>> is_clean("a\\tb\\n"), is_clean("a\\rb")
    (True, False)
    """
    return text.isprintable() or not _CONTROL.search(text)


def shown(text: str) -> str:
    """Text from elsewhere as it may be printed: what commands a terminal is replaced, sign by sign.

    >>> shown("a\\x1b]52;c;eA==\\x07\\u202eb\\n")
    'a�]52;c;eA==��b\\n'
    """
    return text if text.isprintable() else _UNSHOWN.sub("\ufffd", text)


def escaped(source: str) -> str:
    """JSON as it may be printed: the same values, with escapes for what ``shown`` would replace.

    >>> escaped('"a\u202eb"')
    '"a\\\\u202eb"'
    """
    return source if source.isprintable() else _UNSHOWN.sub(lambda match: f"\\u{ord(match[0]):04x}", source)
