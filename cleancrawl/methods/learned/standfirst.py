"""The standfirst: what stands between the headline and the byline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.words import words
from cleancrawl.methods.learned.brought_back import bring_back, was_judged

_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_NO_STANDFIRST = HEADINGS | {"figcaption", "td", "th", "button"}
_NAMED = re.compile(
    r"(?i:sub-?(?:title|head(?:line|ing)?|line|deck)|stand-?first|strap-?line|chapo)"
    r"|(?<![a-z])(?:dek|deck|lead|intro|desc|description)(?![a-z])|(?<=[a-z])(?:Dek|Deck|Lead|Intro|Description)(?![a-z])"
)
"""How themes and publishing systems call a standfirst; not "summary", which is also what a machine has made …"""
_OF_PICTURES = re.compile(r"caption|image|img|photo|picture|media|video|gallery", re.I)
"""… and no description of a picture …"""
_OF_AUTHORS = re.compile(r"author|byline|date|meta|time", re.I)
"""… and no line about who wrote it when, which stands in such an element, too."""


@dataclass(frozen=True, slots=True)
class Standfirst:
    """Bring back a line shortly before the text that says what the page's description says, or that stands right behind
    the headline in an element that is named as a standfirst.

    Captions and headings are left: they repeat the description, too. Runs after a score. Needs ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    reach: int = 20
    """Blocks before the first kept paragraph that are looked at: a byline, dates and buttons may lie between."""
    paragraph: int = 15
    """Words that make a kept block the beginning of the text."""
    min_words: int = 5
    min_score: float = 0.1
    """A slogan of the site scores less, and its home page's description is often that of every page."""
    min_shared: float = 0.8
    """The share of the line's words that the description has."""
    min_part: float = 0.5
    """The share of the description's words that the line has."""
    behind: int = 3
    """Blocks behind the headline among which a named one is: a kicker or a date may lie between."""

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
        new = [(block, own) for block in lines if not (own := set(words(block.text.lower()))) <= title]
        for block, own in new:
            if any(len(own & one) >= max(self.min_shared * len(own), self.min_part * len(one), 1) for one in told):
                bring_back(page, block, "says what the page's description says")
                return
        named = self._named(page, start, [block for block, _ in new])
        if named:
            bring_back(page, named, "a line behind the headline that is named as a standfirst")

    def _named(self, page: Page, start: int, lines: Sequence[Block]) -> Block | None:
        """The first of some lines that stands behind the last headline before the text, and is named so."""
        before = reversed(page.blocks[max(0, start - self.reach) : start]) if lines else ()
        headline = next((block.index for block in before if block.tag == "h1" and block.words > 1), None)
        if headline is None:
            return None
        layout = page.layout_of(TextLayout)
        near = (block for block in lines if headline < block.index <= headline + self.behind)
        return next((block for block in near if self._is_named(layout, block)), None)

    def _is_named(self, layout: TextLayout, block: Block) -> bool:
        """Whether the element around a block, or the next one if it holds little else, has such a name."""
        own = int(layout.container[block.index])
        around = int(layout.parent[own])
        places = (own, around) if layout.end_block[around] - layout.first_block[around] <= self.behind else (own,)
        names = [layout.class_names.get(int(layout.class_path[place]), "") for place in places]
        return (
            any(map(_NAMED.search, names))
            and not any(map(_OF_PICTURES.search, names))
            and not _OF_AUTHORS.search(names[0])
        )
