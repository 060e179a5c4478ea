"""Elements that say themselves that nobody sees them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

HIDDEN = "hidden-blocks"
"""Under this name a page remembers them, a byte for each block; none where nothing is hidden."""
_MAX_SHARE = 0.5


def hidden_blocks(page: Page) -> NDArray[np.bool_] | None:
    """Which blocks nobody sees; None where that is none of them.

    Some pages hide everything until a script has run: an element with most of the words is no hidden one.
    """
    known: bytes | None = page.remembered(HIDDEN)
    if known is None:
        found = _hidden_blocks(page.layout_of(TextLayout))
        known = page.remember(HIDDEN, b"" if found is None else found.tobytes())
    return np.frombuffer(known, np.bool_) if known else None


def _hidden_blocks(layout: TextLayout) -> NDArray[np.bool_] | None:
    hidden = layout.hidden[layout.container]
    if not hidden.any():
        return None
    words = layout.measures.words
    held = np.bincount(hidden, weights=words)
    too_much = held > _MAX_SHARE * words.sum()
    found: NDArray[np.bool_] = (hidden > 0) & ~too_much[hidden]
    return found if found.any() else None
