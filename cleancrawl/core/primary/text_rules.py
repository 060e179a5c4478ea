"""METHODS A2 as other recipes take it: on text blocks, and only what measured as precise (docs/core-content.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from cleancrawl.core.page import Block, Page
from cleancrawl.core.primary.links import copyright_candidates, copyright_notice, utility_phrase

STAGE = "primary"
_SEPARATOR = re.compile(r"[|•·›»/,–—\n]+")


@dataclass(frozen=True, slots=True)
class TextRules:
    """Marks ad containers and blocks that are mostly social links, small print or a copyright notice.

    Needs ``TextBlocks``.
    """

    max_share: float = 0.5
    """An element with more than this share of the page's words is never removed."""
    link_share: float = 0.5
    """The share of a block's text that such links must carry."""
    longest: int = 40
    """Words up to which a block can be small print; a paragraph about copyright is longer."""

    def __call__(self, page: Page) -> None:
        self._mark_containers(page)
        blocks = page.blocks
        for index, (site, chars) in page.layout.social.items():
            if index < len(blocks) and chars >= self.link_share * len(blocks[index].text):
                blocks[index].remove(STAGE, "social-links", site)
        for block in blocks:
            if 2 * block.link_words >= block.words <= self.longest and block.removed is None:
                self._mark_small_print(block)
        for index in copyright_candidates([block.text for block in blocks]):
            if blocks[index].words <= self.longest and (notice := copyright_notice(blocks[index].text)):
                blocks[index].remove(STAGE, "utility-links", notice)

    def _mark_containers(self, page: Page) -> None:
        layout = page.layout
        if not layout.hits:
            return
        words = np.cumsum([0, *(block.words for block in page.blocks)])
        done = 0
        for number, (rule, evidence) in layout.hits.items():
            first, end = int(layout.first_block[number]), int(layout.end_block[number])
            if end <= done or words[end] - words[first] > self.max_share * words[-1]:
                continue
            done = end
            for block in page.blocks[first:end]:
                block.remove(STAGE, rule, evidence)

    def _mark_small_print(self, block: Block) -> None:
        text = block.text
        found = [(phrase, len(piece)) for piece in _SEPARATOR.split(text) if (phrase := utility_phrase(piece))]
        if found and sum(size for _, size in found) >= self.link_share * len(text):
            block.remove(STAGE, "utility-links", found[0][0])
