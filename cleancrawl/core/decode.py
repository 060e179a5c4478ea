"""From bytes to text, as browsers do: BOM, header, meta, then detection."""

from __future__ import annotations

from contextlib import suppress

from w3lib.encoding import html_to_unicode


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
    """
    encoding, text = html_to_unicode(content_type, body, auto_detect_fun=_detect, default_encoding="cp1252")
    if encoding == "cp1252" and not body.isascii():
        # Servers claim Latin-1 out of habit; what is valid UTF-8 was hardly ever written as anything else.
        with suppress(UnicodeDecodeError):
            return body.decode("utf-8"), "utf-8"
    return text, encoding


def _detect(body: bytes) -> str | None:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body cut off inside a character is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else None
    return "utf-8"
