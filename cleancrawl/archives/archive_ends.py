"""Whether a WARC file ends where a record ends: readers stop at a cut without a word."""

from __future__ import annotations

import zlib
from typing import BinaryIO

CHUNK = 1 << 16
GZIP = b"\x1f\x8b"
RECORD_ENDS = (b"\r\n\r\n", b"\n\n")


def size_of(file: BinaryIO) -> int:
    return file.seek(0, 2)


def breaks_off(file: BinaryIO, last: int) -> bool:
    """Whether the file is cut behind the record at ``last``, the last one that was read.

    Zstandard and LZ4 are not looked at: their readers complain by themselves.
    """
    size = size_of(file)
    file.seek(0)
    start = file.read(4)
    if start[:2] == GZIP:
        # A file that is one single member gives no positions; its last record was measured.
        return last < size and _cut_in_member(file, last)
    if start != b"WARC":
        return size == 0
    file.seek(-4, 2)
    return not file.read().endswith(RECORD_ENDS)


def _cut_in_member(file: BinaryIO, start: int) -> bool:
    """Whether the last gzip member is unfinished; members before it are unpacked in parts and forgotten."""
    file.seek(start)
    member, rest = zlib.decompressobj(zlib.MAX_WBITS | 16), b""
    try:
        while data := rest or file.read(CHUNK):
            if member.eof:
                member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            member.decompress(data, CHUNK)
            while member.unconsumed_tail:
                member.decompress(member.unconsumed_tail, CHUNK)
            rest = member.unused_data
    except zlib.error:
        return True
    return not member.eof
