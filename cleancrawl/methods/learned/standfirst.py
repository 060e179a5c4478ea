"""The standfirst: what stands between the headline and the byline."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.text.words import words
from cleancrawl.methods.learned.brought_back import bring_back, was_judged

_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_NO_STANDFIRST = HEADINGS | {"figcaption", "td", "th", "button"}


@dataclass(frozen=True, slots=True)
class Standfirst:
    """Bring back a line shortly before the text that says what the page's description says. Runs after a score.

    Captions and headings are left: they repeat the description, too.
    """

    reach: int = 20
    """Blocks before the first kept paragraph that are looked at: a byline, dates and buttons may lie between."""
    paragraph: int = 15
    """Words that make a kept block the beginning of the text."""
    min_words: int = 5
    min_score: float = 0.2
    """A slogan of the site scores less, and its home page's description is often that of every page."""
    min_shared: float = 0.8
    """The share of the line's words that the description has."""
    min_part: float = 0.5
    """The share of the description's words that the line has."""

    def __call__(self, page: Page) -> None:
        opening = (block.index for block in page.kept if block.words >= self.paragraph)
        start = next(opening, 0)
        lines = [
            block
            for block in page.blocks[max(0, start - self.reach) : start]
            if was_judged(block)
            and (block.score or 0.0) >= self.min_score
            and block.words >= self.min_words
            and 2 * block.link_words < block.words
            and block.tag not in _NO_STANDFIRST
        ]
        if not lines:
            return
        told = [set(words(content.lower())) for name, content in page.head.meta if name in _DESCRIPTIONS]
        title = set(words(page.title.lower()))
        for block in lines:
            own = set(words(block.text.lower()))
            if own <= title:
                continue
            if any(len(own & one) >= max(self.min_shared * len(own), self.min_part * len(one), 1) for one in told):
                bring_back(page, block, "says what the page's description says")
                return
