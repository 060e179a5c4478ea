"""What to do with a page that the score leaves nearly empty although it has text."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.page import Block, Page


@dataclass(frozen=True, slots=True)
class Rescue:
    """Lower the bar on a page of which next to nothing was kept: its best-scored text is its content all the same.

    Counts plain text: blocks with a sentence's worth of words and few links. What other stages removed stays removed.
    """

    plain_words: int = 10
    max_link_share: float = 0.3
    min_page_words: int = 100
    """Of plain text on the page; a page with less may well be empty."""
    few_words: int = 60
    few_share: float = 0.3
    wanted_share: float = 0.15
    """The bar sinks until this share of the plain text is above it."""
    slack: float = 0.32
    """Then everything above this part of the bar is kept: the rest of that text scores a little lower."""

    def __call__(self, page: Page) -> None:
        if sum(block.words for block in page.kept if self.is_plain(block)) >= self.few_words:
            return  # as nearly all pages, at the price of a look at what they keep
        open_blocks = [block for block in page.blocks if block.removed is None or block.removed.stage == "score"]
        plain = [block for block in open_blocks if self.is_plain(block)]
        total = sum(block.words for block in plain)
        kept = sum(block.words for block in plain if block.removed is None)
        if total < self.min_page_words or kept >= min(self.few_words, self.few_share * total):
            return
        bar = self.slack * self.bar(plain, total)
        for block in open_blocks:
            if (block.score or 0.0) >= bar:
                block.removed = None

    def is_plain(self, block: Block) -> bool:
        return block.words >= self.plain_words and block.link_words < self.max_link_share * block.words

    def bar(self, plain: list[Block], total: int) -> float:
        """The score above which the wanted share of the text lies."""
        above = 0
        for block in sorted(plain, key=lambda block: -(block.score or 0.0)):
            above += block.words
            if above >= self.wanted_share * total:
                return block.score or 0.0
        return 0.0
