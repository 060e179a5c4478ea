"""Names of files and directories that sites choose."""

from __future__ import annotations

import hashlib
import re

LONGEST = 200
"""Bytes: file systems take 255 of them, whatever the characters, and suffixes need some."""


def file_name(text: str) -> str:
    """A name that is safe in every file system; one that is too long ends in a hash of it, so that two stay two.

    >>> file_name("example.com:8080"), file_name("../.."), file_name("")
    ('example.com_8080', '__.._..', '_')
    >>> len(file_name("ü" * 300).encode()), file_name("ü" * 300) == file_name("ü" * 301)
    (199, False)
    """
    safe = re.sub(r"[^\w.-]", "_", text) or "_"
    safe = f"__{safe}" if safe.startswith(".") else safe
    if len(safe.encode("utf-8", "replace")) <= LONGEST:
        return safe
    mark = "-" + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return safe.encode("utf-8", "replace")[: LONGEST - len(mark)].decode("utf-8", "ignore") + mark
