"""What a page keeps far behind its text: biographies, notices, teasers of other stories."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page


@dataclass(frozen=True, slots=True)
class TrailingGroups:
    """Remove small groups of kept blocks that follow the largest group after gaps of removed blocks, from the end.

    Then the headings at the very end: what they are headings of was removed.
    """

    gap: int = 4
    """More removed blocks than this between two kept ones separate two groups."""
    max_share: float = 0.15
    """Groups that together have this share of the largest group's words are content of their own."""
    sure: float = 0.8
    """A group with this mean score, weighed by words, is the end of the text behind a box, and so is all before it."""
    longest_heading: int = 12
    """Headings of more words are sentences."""

    def __call__(self, page: Page) -> None:
        self.drop_groups(self.groups(page.kept))
        for block in reversed(page.kept):
            if block.tag not in HEADINGS or block.words > self.longest_heading:
                return
            block.remove("score", "afterthought", "a heading of nothing")

    def drop_groups(self, groups: list[list[Block]]) -> None:
        if len(groups) < 2:
            return
        words = [sum(block.words for block in group) for group in groups]
        largest = max(range(len(groups)), key=words.__getitem__)
        removed = 0
        for place in range(len(groups) - 1, largest, -1):
            removed += words[place]
            if sum(block.words * (block.score or 0.0) for block in groups[place]) >= self.sure * words[place]:
                return
            if removed >= self.max_share * words[largest]:
                return
            for block in groups[place]:
                block.remove("score", "afterthought", f"{words[place]} words after the text")

    def groups(self, kept: list[Block]) -> list[list[Block]]:
        groups: list[list[Block]] = []
        for block in kept:
            if groups and block.index - groups[-1][-1].index <= self.gap + 1:
                groups[-1].append(block)
            else:
                groups.append([block])
        return groups
