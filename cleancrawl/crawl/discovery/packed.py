"""Bodies in pieces, unpacked where they are gzipped: who reads them can stop, and nobody holds the whole."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

GZIP = b"\x1f\x8b"
PIECE = 1 << 16
_PACKED = 1 << 14
"""Packed bytes that are given to the decompressor at once: what it leaves for later is copied with every piece."""
MAX_BYTES = 50_000_000
"""The protocol's own limit on an unpacked sitemap."""


def pieces(body: bytes, limit: int = MAX_BYTES) -> Iterator[bytes]:
    """What is in a body, in pieces, up to a limit; a broken or cut-off archive gives what can be read.

    >>> import gzip
    >>> list(pieces(gzip.compress(b"abc"))), list(pieces(b"abcd", 3)), list(pieces(gzip.compress(b"abc")[:-4]))
    ([b'abc'], [b'abc'], [b'abc'])
    """
    left = limit
    for piece in _unpacked(body) if body.startswith(GZIP) else _slices(body, PIECE):
        if left <= 0:
            return
        yield piece[:left]
        left -= len(piece)


def unpack(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """The same in one.

    >>> import gzip
    >>> unpack(gzip.compress(b"abc")), unpack(b"abc"), unpack(b"\\x1f\\x8bno")
    (b'abc', b'abc', b'')
    """
    return b"".join(pieces(body, limit))


def _unpacked(body: bytes) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=31)
    try:
        for packed in _slices(body, _PACKED):
            waiting = packed
            while waiting and not member.eof:
                piece = member.decompress(waiting, PIECE)
                waiting = member.unconsumed_tail
                if piece:
                    yield piece
        # With its input at an end it may still hold output back, of one byte's worth of a bomb.
        while not member.eof and (piece := member.decompress(b"", PIECE)):
            yield piece
    except zlib.error:
        return


def _slices(body: bytes, size: int) -> Iterator[bytes]:
    return (body[start : start + size] for start in range(0, len(body), size))
