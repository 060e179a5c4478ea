"""A score without a model: the container that holds most of the page's good text, and what is text in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.core.segment.layout import Layout
from cleancrawl.core.segment.tags import tag_ids

_TEXT_TAGS = tag_ids("p", "li", "blockquote", "pre", "dd", "dt", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True, slots=True)
class DensityScore:
    """Keep the blocks of the lowest container with most of the good text that are not mostly links.

    Good text is the words of blocks with at least ``min_words`` words and few links. Needs ``TextBlocks``.
    """

    min_words: int = 10
    max_link_density: float = 0.35
    share: float = 0.6
    """The share of the good text that the main container must hold."""

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        words = np.array([block.words for block in page.blocks], dtype=np.float64)
        density = np.array([block.link_words for block in page.blocks]) / np.maximum(words, 1)
        kept = np.array([block.removed is None for block in page.blocks])
        good = np.where(kept & (words >= self.min_words) & (density < self.max_link_density), words, 0.0)
        main = main_container(page.layout, good, self.share)
        inside = np.zeros(len(words), dtype=bool)
        inside[page.layout.first_block[main] : page.layout.end_block[main]] = True
        scores = np.where(inside, 1 - np.minimum(density, 1), 0.0) * (good.sum() > 0)
        for block, score in zip(page.blocks, scores.tolist(), strict=True):
            block.score = score
            if score < 1 - self.max_link_density:
                block.remove("score", "density", f"{score:.2f}")


def main_container(layout: Layout, good: NDArray[np.float64], share: float) -> int:
    """The lowest container, paragraphs aside, with at least a share of the good text; the document where there is none.

    Document order puts a container after its ancestors, so the last one that holds enough is the lowest.
    """
    sums = np.concatenate(([0.0], np.cumsum(good)))
    held = sums[layout.end_block] - sums[layout.first_block]
    enough = np.flatnonzero((held >= share * sums[-1]) & ~np.isin(layout.tag, _TEXT_TAGS))
    return int(enough[-1]) if sums[-1] > 0 else 0
