"""Text that an element's attributes hide, judged in the light of its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.block import Removal
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.hidden_elements import hidden_blocks

_HIDDEN = Removal("score", "hidden", "by its attributes")


@dataclass(frozen=True, slots=True)
class HiddenBlocks:
    """Remove blocks in elements hidden by attribute or inline style. Runs after a score. Needs ``TextBlocks``.

    Articles in sections that fold, or that a script shows once it has run, are hidden too: where more content is
    hidden than shown, all of it counts. Of two copies the visible one stays.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    def __call__(self, page: Page) -> None:
        hidden = hidden_blocks(page)
        if hidden is None:
            return
        blocks = [page.blocks[index] for index in np.flatnonzero(hidden).tolist()]
        words = sum(block.words for block in blocks if block.removed is None)
        if 2 * words > sum(block.words for block in page.kept):
            return
        for block in blocks:
            block.removed = _HIDDEN
