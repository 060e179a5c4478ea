"""Places in a site's template, by tags and class names."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

NAMED_BELOW = 2
"""The classes of html and body (depth 1 and 2) often name the single page."""
_DIGITS = str.maketrans("", "", "0123456789")
# Also in native/walk_setup.pxd.
_TAG_FACTOR, _SLOT_FACTOR, _SLOT_BITS = 2654435761, 1000003, 0xFFFFFFFF


@lru_cache(maxsize=20_000)
def name_print(value: str) -> int:
    """A number for the first class name, digits aside: what follows it, and numbers, often belong to the single page.

    >>> name_print("post-17 post category-sports") == name_print("post-2 hentry"), name_print(" ")
    (True, 0)
    """
    # A page may have one class of a million characters.
    first = value[:400].translate(_DIGITS).split(None, 1)[:1]
    return crc32(first[0].encode("utf-8", "surrogatepass")) if first else 0


def slot_of(parent: int, tag: int, name: str) -> int:
    """The slot of an element in the slot of its parent.

    >>> slot_of(0, 3, "post-1") == slot_of(0, 3, "post-2 new"), slot_of(0, 3, "a") == slot_of(1, 3, "a")
    (True, False)
    """
    return (parent * _SLOT_FACTOR ^ name_print(name) + _TAG_FACTOR * tag) & _SLOT_BITS
