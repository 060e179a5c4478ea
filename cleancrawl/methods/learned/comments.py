"""Readers' comments, for those who want them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.rules.class_hints import hint_names
from cleancrawl.core.segmentation.text_layout import TextLayout


@dataclass(frozen=True, slots=True)
class WantedComments:
    """Take back the removal of readers' comments, where they are wanted.

    Needs ``TextBlocks``. A comment is plain text in an element whose class or id says so, behind the content; names,
    dates and buttons of the discussion stay removed.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    wanted: bool = False
    min_words: int = 4
    max_link_share: float = 0.3

    def tailored(self, wishes: Wishes) -> WantedComments:
        return replace(self, wanted=self.wanted or wishes.comments)

    def __call__(self, page: Page) -> None:
        if not self.wanted or not page.blocks:
            return
        content = [block.index for block in page.kept]
        start = content[0] if content else 0
        for index in np.flatnonzero(_in_comments(page)).tolist():
            block = page.blocks[index]
            judged = block.removed is not None and block.removed.stage == "score" and block.removed.rule != "hidden"
            plain = block.words >= self.min_words and block.link_words <= self.max_link_share * block.words
            if judged and plain and index > start:
                block.removed = None


def _in_comments(page: Page) -> NDArray[np.bool_]:
    """Which blocks lie in an element that is named after comments; containers come after their parents."""
    layout = page.layout_of(TextLayout)
    bit = 1 << hint_names().index("comment")
    # On the whole page ("comments-open" on BODY) the name tells nothing.
    named = (layout.hints & bit > 0) & (layout.end_block - layout.first_block < 0.9 * len(page.blocks))
    edges = np.zeros(len(page.blocks) + 1, dtype=np.int64)
    np.add.at(edges, layout.first_block[named], 1)
    np.add.at(edges, layout.end_block[named], -1)
    found: NDArray[np.bool_] = np.cumsum(edges)[:-1] > 0
    return found
