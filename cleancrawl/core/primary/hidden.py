"""Elements that say themselves that nobody sees them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cleancrawl.core.page import Page


@dataclass(frozen=True, slots=True)
class HiddenBlocks:
    """Remove blocks in elements hidden by attribute or inline style. Needs ``TextBlocks``.

    Some pages hide everything until a script has run: an element with more than ``max_share`` of the text stays.
    """

    max_share: float = 0.5

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        hidden = page.layout.hidden[page.layout.container]
        if not hidden.any():
            return
        words = np.array([block.words for block in page.blocks])
        held = np.bincount(hidden, weights=words)
        too_much = held > self.max_share * words.sum()
        for index in np.flatnonzero((hidden > 0) & ~too_much[hidden]).tolist():
            page.blocks[index].remove("primary", "hidden")
