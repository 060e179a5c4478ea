"""Elements that say themselves that nobody sees them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page


@dataclass(frozen=True, slots=True)
class HiddenBlocks:
    """Remove blocks in elements hidden by attribute or inline style. Needs ``TextBlocks``.

    Some pages hide everything until a script has run: an element with more than ``max_share`` of the text stays.
    """

    max_share: float = 0.5

    def __call__(self, page: Page) -> None:
        hidden = hidden_blocks(page, self.max_share)
        if hidden is not None:
            for index in np.flatnonzero(hidden).tolist():
                page.blocks[index].remove("primary", "hidden")


def hidden_blocks(page: Page, max_share: float = 0.5) -> NDArray[np.bool_] | None:
    """Which blocks nobody sees; None where that is none of them."""
    hidden = page.layout.hidden[page.layout.container]
    if not hidden.any():
        return None
    words = np.array([block.words for block in page.blocks])
    held = np.bincount(hidden, weights=words)
    too_much = held > max_share * words.sum()
    found: NDArray[np.bool_] = (hidden > 0) & ~too_much[hidden]
    return found if found.any() else None
