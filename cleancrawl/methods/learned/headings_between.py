"""Headings between two blocks of which the score is sure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.methods.learned.brought_back import bring_back, was_judged
from cleancrawl.methods.learned.kept_elements import kept_flags


@dataclass(frozen=True, slots=True)
class HeadingsBetween:
    """Bring back a heading that stands alone between two kept blocks. Runs after a score.

    Other blocks in such a place were tried: about half of them are captions, labels and read-also lines.
    """

    min_score: float = 0.2
    beside: float = 0.7
    """The least score of both kept blocks."""

    def __call__(self, page: Page) -> None:
        blocks, kept = page.blocks, kept_flags(page)
        for place in (np.flatnonzero(kept[:-2] & ~kept[1:-1] & kept[2:]) + 1).tolist():
            before, block, after = blocks[place - 1 : place + 2]
            if (
                block.tag in HEADINGS
                and (block.score or 0.0) >= self.min_score
                and min(before.score or 0.0, after.score or 0.0) >= self.beside
                and 2 * block.link_words < block.words
                and was_judged(block)
            ):
                bring_back(page, block, "a heading between two kept blocks")
