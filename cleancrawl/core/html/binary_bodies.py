"""What is announced as a page and is none: pictures, archives, PDF."""

from __future__ import annotations

SNIFFED_BYTES = 1024
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1b"))


def looks_binary(body: bytes) -> bool:
    """Whether what was announced as HTML is something else; a few stray control characters are not enough.

    >>> looks_binary(b"GIF89a" + bytes(90)), looks_binary(b"%PDF-1.7"), looks_binary("<p>größer".encode("utf-16"))
    (True, True, False)
    >>> looks_binary(b"<p>a page" + bytes(1) + b" of a careless editor</p>")
    False
    """
    start = body[:SNIFFED_BYTES]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False  # UTF-16: half of it are zero bytes
    return start.startswith(b"%PDF-") or len(start) - len(start.translate(None, _CONTROL)) > len(start) // 32
