"""Elements that say themselves that nobody sees them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout


def hidden_blocks(page: Page, max_share: float = 0.5) -> NDArray[np.bool_] | None:
    """Which blocks nobody sees; None where that is none of them.

    Some pages hide everything until a script has run: an element with more than ``max_share`` of the words is no
    hidden one.
    """
    layout = page.layout_of(TextLayout)
    hidden = layout.hidden[layout.container]
    if not hidden.any():
        return None
    words = layout.measures.words
    held = np.bincount(hidden, weights=words)
    too_much = held > max_share * words.sum()
    found: NDArray[np.bool_] = (hidden > 0) & ~too_much[hidden]
    return found if found.any() else None
