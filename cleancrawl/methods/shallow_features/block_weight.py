"""METHODS B7: blocks ranked by title keywords, frequent keywords and the size of their region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import terms

_TOP = 10


@dataclass(frozen=True, slots=True)
class BlockWeight:
    """Remove kept blocks whose main block weighs less than a share of the page's heaviest; needs a ``TextLayout``."""

    needs: ClassVar[type[TextLayout]] = TextLayout

    title: float = 1 / 3
    """α of Eq. 3, and of Eq. 7."""
    keywords: float = 1 / 3
    """β."""
    position: float = 1 / 3
    """γ."""
    region: float = 0.7
    """The share of the page's keywords from which a region is the data region."""
    inequality: Literal["text", "formula"] = "text"
    """Which regions get γ: those with at least that share, as the paper's text says, or with at most that share, as
    its formula is printed (the letter)."""
    threshold: float = 0.0
    """Share of the heaviest main block's weight; 0 only ranks."""

    def __call__(self, page: Page) -> None:
        blocks, stops = page.kept, stop_words(page.language)
        if not blocks:
            return
        counts = [Counter(terms(block.text, stops)) for block in blocks]
        regions = _regions(page, [block.index for block in blocks])
        size = np.array([count.total() for count in counts], dtype=float)
        held = np.bincount(regions, weights=size)[regions] / max(size.sum(), 1)
        central = held >= self.region if self.inequality == "text" else held <= self.region
        title = set(terms(page.title, stops))
        total = sum(block.words for block in page.blocks)
        weights = np.array(
            [
                self.title * title_relevancy(count, title)
                + self.keywords * keyword_frequency(count, total)
                + self.position * inside
                for count, inside in zip(counts, central.tolist(), strict=True)
            ]
        )
        main = self.title * np.bincount(regions, weights=weights)[regions]
        relative = main / max(float(main.max()), 1e-12)
        for block, weight, share in zip(blocks, main.tolist(), relative.tolist(), strict=True):
            block.score = share
            if share < self.threshold:
                block.remove("score", "block-weight", f"{weight:.3f}, {share:.0%} of the heaviest")


def title_relevancy(counts: Counter[str], title: set[str]) -> float:
    """Eq. 4: Tk = 1 − m/(m + Σ frequencies of the m title keywords).

    >>> title_relevancy(Counter({"drug": 2, "cancer": 1}), {"drug", "cancer", "bladder"})
    0.5
    """
    found = sum(counts[term] for term in title)
    return 1 - len(title) / (len(title) + found) if title else 0.0


def keyword_frequency(counts: Counter[str], words: int) -> float:
    """Eq. 5: the frequencies of the block's ten most frequent keywords over the words of the page.

    >>> keyword_frequency(Counter({"a": 3, "b": 2}), 50)
    0.1
    """
    return sum(count for _, count in counts.most_common(_TOP)) / max(words, 1)


def _regions(page: Page, indices: Sequence[int]) -> np.ndarray:
    """The container around each block's own element."""
    layout = page.layout_of(TextLayout)
    found: np.ndarray = layout.parent[layout.container[np.array(indices, dtype=np.int64)]]
    return found
