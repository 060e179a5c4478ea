"""From an input that fails to a small one that fails alike."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_TRIES = 2_000
SECONDS = 30.0


def reduced(body: bytes, fails: Callable[[bytes], bool], seconds: float = SECONDS) -> bytes:
    """The input without what is not needed for it to fail; as far as it comes in its time.

    >>> reduced(b"all that <p needs no more than this", lambda body: b"<p" in body)
    b'<p'
    """
    end = time.monotonic() + seconds
    tries, size = 0, len(body) // 2
    while size and tries < MOST_TRIES and time.monotonic() < end:
        start, shorter = 0, False
        while start < len(body) and tries < MOST_TRIES and time.monotonic() < end:
            candidate = body[:start] + body[start + size :]
            tries += 1
            if fails(candidate):
                body, shorter = candidate, True
            else:
                start += size
        if not shorter or size > len(body):
            size = min(size // 2, len(body))
    return body
