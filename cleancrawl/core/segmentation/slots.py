"""Places in a site's template, by tags and class names."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np

from cleancrawl.core.native import compiled
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout

_part = compiled("slots")

NAMED_BELOW = 2
"""The classes of html and body (depth 1 and 2) often name the single page."""
_DIGITS = b"0123456789"
_LONGEST = 400
"""Characters of a name that count: a page may have one class of a million."""
_TAG_FACTOR, _SLOT_FACTOR, _SLOT_BITS = 2654435761, 1000003, 0xFFFFFFFF


@lru_cache(maxsize=20_000)
def name_print(value: str) -> int:
    """A number for the first class name, digits aside: what follows it, and numbers, often belong to the single page.

    >>> name_print("post-17 post category-sports") == name_print("post-2 hentry"), name_print(" ")
    (True, 0)
    """
    for name in value[:_LONGEST].split():
        if plain := name.encode("utf-8", "surrogatepass").translate(None, _DIGITS):
            return crc32(plain)
    return 0


def slot_of(parent: int, tag: int, name: int) -> int:
    """The slot of an element with some ``name_print`` in the slot of its parent.

    >>> slot_of(0, 3, 7) == slot_of(0, 3, 7), slot_of(0, 3, 7) == slot_of(1, 3, 7), slot_of(0, 3, 0)
    (True, False, 3668339987)
    """
    return (parent * _SLOT_FACTOR ^ name + _TAG_FACTOR * tag) & _SLOT_BITS


def container_slots(layout: TextLayout) -> Ints:
    """The place of each container in the site's template: equal on all its pages.

    A hash of tags and first class names from the root. Made when asked for: only what is known of a site needs it.
    """
    if _part is None:
        return container_slots_in_python(layout)
    columns = (layout.class_path, layout.parent, layout.tag, layout.depth)
    found: Ints = _part.container_slots(
        *columns, layout.class_names, _LONGEST, NAMED_BELOW, name_print, _TAG_FACTOR, _SLOT_FACTOR
    )
    return found


def container_slots_in_python(layout: TextLayout) -> Ints:
    # Containers of one class path are in one slot, and the first of them gives the path its number.
    first = np.flatnonzero(layout.class_path == np.arange(len(layout.class_path)))
    around = layout.class_path[layout.parent[first]].tolist()
    places = zip(first.tolist(), around, layout.tag[first].tolist(), layout.depth[first].tolist(), strict=True)
    found, names = {0: 0}, layout.class_names
    for number, parent, tag, depth in places:
        if number:
            name = names.get(number) if depth > NAMED_BELOW else None
            plain = name_print(name) if name else 0
            # ``slot_of``, of which a page has hundreds.
            found[number] = (found[parent] * _SLOT_FACTOR ^ plain + _TAG_FACTOR * tag) & _SLOT_BITS
    slots = np.zeros(len(layout.class_path), dtype=np.int64)
    slots[first] = list(found.values())
    return slots[layout.class_path]
