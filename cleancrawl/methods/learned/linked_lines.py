"""Headlines of other articles between the paragraphs of one: lines that are nothing but a link."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.block import Removal
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.methods.learned.stock_lines import is_news

LINKED_LINE = "linked-line"
_NO_LINE = HEADINGS | {"li", "dt", "dd", "td", "th", "figcaption"}
_ENDS = ".!?…。！？।؟"
_CLOSING = "\"'”’»)]"


@dataclass(frozen=True, slots=True)
class LinkedLines:
    """Remove kept lines that are one link and no sentence, behind the beginning of a text that says it is news.

    In a guide such a line is a recommendation, and in a list or table an entry; both stay. Runs after a score.
    """

    min_words: int = 5
    """Shorter ones are names, sources and buttons."""
    max_words: int = 30
    prose: int = 15
    """Words outside of links that make a kept block the beginning of the text."""
    max_share: float = 0.2
    """Where more of the kept words are in such lines, links are what the page is about."""

    def __call__(self, page: Page) -> None:
        kept = page.kept
        lines = [
            block
            for block in kept
            if block.link_words >= block.words >= self.min_words
            and block.words <= self.max_words
            and block.tag not in _NO_LINE
            and not block.text.rstrip(_CLOSING).endswith(tuple(_ENDS))
        ]
        if not lines:
            return
        start = next((block.index for block in kept if block.words - block.link_words >= self.prose), len(page.blocks))
        lines = [block for block in lines if block.index > start]
        linked = sum(block.words for block in lines)
        if lines and linked <= self.max_share * sum(block.words for block in kept) and is_news(page):
            for block in lines:
                block.removed = Removal("score", LINKED_LINE, "a link and nothing else")
