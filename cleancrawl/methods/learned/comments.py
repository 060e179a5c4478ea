"""Readers' comments: a part of the page, and of its text only where they are wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block import Removal
from cleancrawl.core.comments.comment_regions import comment_regions, named_containers
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.kept_elements import kept_flags


@dataclass(frozen=True, slots=True)
class ReadersComments:
    """Remove kept blocks in what is found to be readers' comments. Runs after a score. Needs ``TextBlocks``.

    Where the thread is the content, as in forums, it stays.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout
    heeds: ClassVar[frozenset[str]] = frozenset({"comments"})

    wanted: bool = False
    """Comments are found, but stay."""
    min_outside: int = 40
    """Words of content before the comments, at least."""

    def tailored(self, wishes: Wishes) -> ReadersComments:
        return replace(self, wanted=self.wanted or wishes.comments)

    def __call__(self, page: Page) -> None:
        kept = kept_flags(page)
        if self.wanted:
            page.comments = comment_regions(page, kept, self.min_outside)
            return
        places = np.flatnonzero(kept)
        page.comments = comment_regions(page, kept, self.min_outside, int(places[-1]) + 1 if len(places) else 0)
        for region in page.comments:
            removal = Removal("score", "comments", region.evidence)
            for block in page.blocks[region.first : region.end]:
                if block.removed is None:
                    block.removed = removal


@dataclass(frozen=True, slots=True)
class WantedComments:
    """Take back the removal of readers' comments, where they are wanted.

    Needs ``TextBlocks``. A comment is plain text in an element whose class or id says so, behind the content, or in
    what ``ReadersComments`` found; names, dates and buttons of the discussion stay removed.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout
    heeds: ClassVar[frozenset[str]] = frozenset({"comments"})

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
    """Which blocks lie in an element that is named after comments, or in comments that were found otherwise."""
    layout = page.layout_of(TextLayout)
    named = named_containers(layout)
    edges = np.zeros(len(page.blocks) + 1, dtype=np.int64)
    np.add.at(edges, layout.first_block[named], 1)
    np.add.at(edges, layout.end_block[named], -1)
    found: NDArray[np.bool_] = np.cumsum(edges)[:-1] > 0
    for region in page.comments or ():
        found[region.first : region.end] = True
    return found
