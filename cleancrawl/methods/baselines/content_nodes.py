"""METHODS A8: what the main paper compared its removal of primary noise with.

Both stages read the layout of ``TextBlocks``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

STAGE = "primary"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CoreEx:
    """Keep the node with the best score: few links among its words, and a little for its share of the page."""

    needs: ClassVar[type[TextLayout]] = TextLayout

    links: float = 0.99
    size: float = 0.01

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        layout = page.layout_of(TextLayout)
        words = np.array([block.words for block in page.blocks], dtype=float)
        linked = np.array([block.link_words for block in page.blocks], dtype=float)
        held = _sums(layout, words)
        score = self.links * (held - _sums(layout, linked)) / np.maximum(held, 1) + self.size * held / words.sum()
        best = int(np.argmax(np.where(held > 0, score, -1)))
        start, end = int(layout.first_block[best]), int(layout.end_block[best])
        for block in page.blocks:
            if not start <= block.index < end:
                block.remove(STAGE, "coreex", f"outside the best node ({score[best]:.3f})")


@dataclass(frozen=True, slots=True)
class Econ:
    """Start at the block with most punctuation, climb to the node that wraps it all, prune what has none inside."""

    needs: ClassVar[type[TextLayout]] = TextLayout

    share: float = 0.75
    """Of the page's punctuation outside of links; "all" of it would be the body on nearly every page."""
    marks: str = ",.;:!?，。；：！？、،؛؟"

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        layout = page.layout_of(TextLayout)
        counts = np.array([self._punctuation(block.text, block.words, block.link_words) for block in page.blocks])
        held, wanted = _sums(layout, counts), self.share * counts.sum()
        node = int(layout.container[int(np.argmax(counts))])
        while node and held[node] < wanted:
            node = int(layout.parent[node])
        start, end = int(layout.first_block[node]), int(layout.end_block[node])
        for block, count in zip(page.blocks, counts.tolist(), strict=True):
            if not start <= block.index < end:
                block.remove(STAGE, "econ", "outside the node that wraps the punctuation")
            elif not count:
                block.remove(STAGE, "econ", "no punctuation")

    def _punctuation(self, text: str, words: int, link_words: int) -> float:
        return sum(map(text.count, self.marks)) * (1 - min(link_words / max(words, 1), 1))


def _sums(layout: TextLayout, values: Floats | Sequence[float]) -> Floats:
    """Of each container and all in it."""
    before = np.concatenate([[0.0], np.cumsum(values)])
    sums: Floats = before[layout.end_block] - before[layout.first_block]
    return sums
