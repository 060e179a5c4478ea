"""Headlines of other articles between the paragraphs of one: lines that are a link, alone or behind a few words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cleancrawl.core.block import Block, Removal
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.text.words import count_words
from cleancrawl.methods.learned.stock_lines import is_news

LINKED_LINE = "linked-line"
_NO_LINE = HEADINGS | {"li", "dt", "dd", "td", "th", "figcaption"}
_ENDS = ".!?…。！？।؟"
_STOPS = ".…。।"
_CLOSING = "\"'”’»)]"
_LEADING = re.compile(r"[^:：|]{1,60}[:：|]")


@dataclass(frozen=True, slots=True)
class LinkedLines:
    """Remove kept lines that are one link and no sentence, or that lead to a link with a few words and a colon
    ("Learn more: …", in whatever language), behind the beginning of a text that says it is news.

    In a guide such a line is a recommendation, and in a list or table an entry; both stay. Runs after a score.
    """

    min_words: int = 5
    """Shorter ones are names, sources and buttons."""
    max_words: int = 30
    max_leading: int = 5
    """Words before the colon."""
    min_headline: int = 4
    """Words of the link behind it."""
    reach: int = 3
    """Kept blocks among which such lines begin alike, or are none."""
    prose: int = 15
    """Words outside of links that make a kept block the beginning of the text."""
    max_share: float = 0.2
    """Where more of the kept words are in such lines, links are what the page is about."""

    def __call__(self, page: Page) -> None:
        kept = page.kept
        lines = self._lines(kept)
        if not lines:
            return
        start = next((block.index for block in kept if block.words - block.link_words >= self.prose), len(page.blocks))
        lines = {index: evidence for index, evidence in lines.items() if index > start}
        linked = sum(page.blocks[index].words for index in lines)
        if lines and linked <= self.max_share * sum(block.words for block in kept) and is_news(page):
            for index, evidence in lines.items():
                page.blocks[index].removed = Removal("score", LINKED_LINE, evidence)

    def _lines(self, kept: Sequence[Block]) -> dict[int, str]:
        """Such lines by their index, with the evidence."""
        found: dict[int, str] = {}
        leading: list[tuple[int, str]] = []
        for place, block in enumerate(kept):
            if not self.min_words <= block.words <= self.max_words or block.tag in _NO_LINE or not block.link_words:
                continue
            if block.link_words >= block.words and not block.text.rstrip(_CLOSING).endswith(tuple(_ENDS)):
                found[block.index] = "a link and nothing else"
            elif words := self._leading(block):
                leading.append((place, words))
        for number, (place, words) in enumerate(leading):
            beside = leading[max(number - 1, 0) : number + 2]
            # Names of something near one another, each with what belongs to it: a list that is not marked up as one.
            if all(other == words or abs(near - place) > self.reach for near, other in beside):
                found[kept[place].index] = words
        return found

    def _leading(self, block: Block) -> str:
        """What stands before a colon and a link; empty where the line is something else."""
        beside = block.words - block.link_words
        if beside > self.max_leading or block.link_words < self.min_headline:
            return ""
        if block.text.rstrip(_CLOSING).endswith(tuple(_STOPS)):
            return ""  # what somebody says, while headlines may ask
        leading = _LEADING.match(block.text)
        return leading[0] if leading and beside <= count_words(leading[0]) <= self.max_leading else ""
