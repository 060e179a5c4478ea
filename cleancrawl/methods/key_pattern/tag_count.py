"""METHODS D5: a block is as important as it has tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from cleancrawl.core.page import Page
from cleancrawl.methods.key_pattern.pattern_blocks import TagLayout


@dataclass(frozen=True, slots=True)
class TagCount:
    """Remove blocks whose number of tags is below a share of the largest; reads the layout of ``KeyPatternBlocks``."""

    needs: ClassVar[type[TagLayout]] = TagLayout

    share: float = 0.02
    """The paper gives none. Every larger share loses more of the development articles than it cleans."""

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(TagLayout)
        largest = max(layout.tags, default=0)
        for block, tags in zip(page.blocks, layout.tags, strict=True):
            block.score = tags / largest if largest else 0.0
            if tags < self.share * largest:
                block.remove("score", "tag-count", f"{tags} of at most {largest} tags")
