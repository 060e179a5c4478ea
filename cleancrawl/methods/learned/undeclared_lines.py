"""Lines that lead elsewhere, on pages that tell machines what their article's text is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from cleancrawl.core.block import Removal
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.article_body import LEAST, article_body, plain_text

UNDECLARED = "undeclared-line"
_UNDECLARED = Removal("score", UNDECLARED, "a link that the article's declared text does not have")
_BETWEEN = re.compile(r"[\W_]+")
_WORK = 50_000_000
"""Blocks times characters that they are looked for in: no article comes near."""


@dataclass(frozen=True, slots=True)
class UndeclaredLines:
    """Remove kept lines that are mostly a link and are not in the ``articleBody`` of the page's JSON-LD, where this has
    nearly all that is kept.

    Declared texts leave much out, such as standfirsts, headings and boxes with facts: what is no link stays. Runs after
    a score.
    """

    min_words: int = 5
    """Shorter ones are names, sources and buttons."""
    min_linked: float = 0.5
    """The share of a line's words that is a link."""
    min_share: float = 0.8
    """The share of the kept words that the declared text has: some declare a summary, or the text of another page."""

    def __call__(self, page: Page) -> None:
        if not any("articleBody" in source for source in page.head.json_ld):
            return
        kept = page.kept
        lines = [
            block
            for block in kept
            if block.words >= self.min_words
            and block.link_words >= self.min_linked * block.words
            and block.tag not in HEADINGS
        ]
        if not lines:
            return
        text = plain_text(unescape(article_body(page.head)))
        if len(text) < LEAST or len(text) * len(kept) > _WORK:
            return
        declared = _letters(text)
        found = {block.index for block in kept if _letters(block.text) in declared}
        held = sum(block.words for block in kept if block.index in found)
        if held < self.min_share * sum(block.words for block in kept):
            return
        start = min(found)
        for block in lines:
            if block.index > start and block.index not in found:
                block.removed = _UNDECLARED


def _letters(text: str) -> str:
    """The letters and digits of a text: sites lose the blanks between paragraphs, and write quotation marks anew.

    >>> _letters("The old\\nbridge – “closed”!")
    'theoldbridgeclosed'
    """
    return _BETWEEN.sub("", text.lower())
