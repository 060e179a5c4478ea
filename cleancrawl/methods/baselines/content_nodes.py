"""METHODS A8: what the main paper compared its removal of primary noise with.

Both stages read the layout of ``TextBlocks``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

STAGE = "primary"
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CoreEx:
    """Of each node, take the children that are hardly links; keep those of the node whose children score best.

    A link counts as one word. A node's own text always belongs to its part, its own links never do.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    size: float = 0.01
    """The weight of the share of the page; that of words among words and links is the rest. 0.01 is its paper's."""
    threshold: float = 0.9
    """A child belongs to the part where more than this of it is words outside of links."""
    count: Literal["links", "words"] = "links"
    """What a link counts as: one, or its words, as the main paper may be read."""
    part: Literal["children", "node"] = "children"
    """Whether the chosen children are scored and kept, or the whole node."""

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        layout = page.layout_of(TextLayout)
        words, links = self._counts(page, layout)
        held, linked = _sums(layout, words), _sums(layout, links)
        chosen = held - linked > self.threshold * held
        if self.part == "node":
            texts, their_links = held, linked
        else:
            texts = _added(layout.container, words - links, len(held))
            texts += _added(layout.parent[1:], np.where(chosen, held, 0.0)[1:], len(held))
            their_links = _added(layout.parent[1:], np.where(chosen, linked, 0.0)[1:], len(held))
        score = (1 - self.size) * (texts - their_links) / np.maximum(texts, 1) + self.size * texts / words.sum()
        best = int(np.argmax(np.where(texts > 0, score, -1)))
        start, end = int(layout.first_block[best]), int(layout.end_block[best])
        for block in page.blocks:
            if not start <= block.index < end:
                block.remove(STAGE, "coreex", f"outside the best node ({score[best]:.3f})")
            elif self.part == "children" and not self._belongs(layout, block.index, best, chosen, words > links):
                block.remove(STAGE, "coreex", "mostly links")

    def _counts(self, page: Page, layout: TextLayout) -> tuple[Floats, Floats]:
        words = np.array([block.words for block in page.blocks], dtype=float)
        linked = np.minimum(np.array([block.link_words for block in page.blocks], dtype=float), words)
        if self.count == "words":
            return words, linked
        links = layout.links.astype(float)
        return words - linked + links, links

    @staticmethod
    def _belongs(layout: TextLayout, index: int, best: int, chosen: Flags, has_text: Flags) -> bool:
        """Whether a block inside the best node lies in a chosen child of it, or is its own text."""
        node = int(layout.container[index])
        if node == best:
            return bool(has_text[index])
        while int(layout.parent[node]) != best:
            node = int(layout.parent[node])
        return bool(chosen[node])


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


def _added(nodes: NDArray[np.int64], values: Floats, count: int) -> Floats:
    """Of each node, what is given to it."""
    added: Floats = np.bincount(nodes, values, count).astype(float)
    return added


def _sums(layout: TextLayout, values: Floats | Sequence[float]) -> Floats:
    """Of each container and all in it."""
    before = np.concatenate([[0.0], np.cumsum(values)])
    sums: Floats = before[layout.end_block] - before[layout.first_block]
    return sums
