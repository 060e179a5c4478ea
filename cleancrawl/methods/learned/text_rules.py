"""METHODS A2 as other recipes take it: on text blocks, and only what measured as precise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import tag_ids
from cleancrawl.core.page import Page
from cleancrawl.core.rules.links import copyright_candidates, copyright_notice, utility_phrase, utility_phrases
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.text_signs import text_signs
from cleancrawl.methods.learned.features.sheet import running_sums

STAGE = "primary"
_SEPARATORS = "|•·›»/,–—\n"
_WHOLE_PAGE = (0, *tag_ids("html", "body"))
_SEPARATOR = re.compile(rf"[{_SEPARATORS}]+")
_SEPARATED = text_signs(_SEPARATORS)


@dataclass(frozen=True, slots=True)
class TextRules:
    """Marks ad containers and blocks that are mostly links to advertisers or social sites, small print or a copyright
    notice.

    An ad container is an element that says so, has a banner's size, or embeds something of an advertiser.

    Needs ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout
    heeds: ClassVar[frozenset[str]] = frozenset({"ad_domains"})
    """``TextBlocks`` asks for them while it reads a page; here they count."""

    max_share: float = 0.5
    """An element with more than this share of the page's words is never removed …"""
    prose: int = 20
    """… nor one with a block of at least this many words that are not in links: pages name article wrappers after the
    advertisements between the paragraphs."""
    link_share: float = 0.5
    """The share of a block's text that such links must carry."""
    longest_social: int = 6
    """Words up to which a block can be a link to a profile or a share button; longer ones are references."""
    longest: int = 40
    """Words up to which a block can be small print; a paragraph about copyright is longer."""

    def __call__(self, page: Page) -> None:
        self._mark_containers(page)
        blocks = page.blocks
        for index, ((rule, evidence), chars) in page.layout_of(TextLayout).told_links.items():
            if index < len(blocks):
                block = blocks[index]
                longest = self.longest_social if rule == "social-links" else self.longest
                if block.words <= longest and chars >= self.link_share * len(block.text):
                    block.remove(STAGE, rule, evidence)
        layout = page.layout_of(TextLayout)
        places = np.flatnonzero(layout.measures.words <= self.longest)
        short = [blocks[index] for index in places.tolist()]
        lowered = [block.text.lower() for block in short]
        linked = np.flatnonzero(2 * layout.link_words[places] >= layout.measures.words[places]).tolist()
        self._mark_utility_links([short[index] for index in linked], [lowered[index] for index in linked])
        for index in copyright_candidates(lowered):
            if short[index].removed is None and (notice := copyright_notice(short[index].text)):
                short[index].remove(STAGE, "utility-links", notice)

    def _mark_containers(self, page: Page) -> None:
        layout = page.layout_of(TextLayout)
        if not layout.hits:
            return
        words = running_sums(layout.measures.words)
        prose = running_sums(layout.measures.words - layout.link_words >= self.prose)
        done = 0
        for number, (rule, evidence) in sorted(layout.hits.items()):
            if layout.tag[number] in _WHOLE_PAGE:
                continue
            first, end = int(layout.first_block[number]), int(layout.end_block[number])
            if end <= done or prose[end] > prose[first] or words[end] - words[first] > self.max_share * words[-1]:
                continue
            done = end
            for block in page.blocks[first:end]:
                block.remove(STAGE, rule, evidence)

    def _mark_utility_links(self, blocks: list[Block], lowered: list[str]) -> None:
        # Nearly all are one link; only the others are worth being cut up.
        phrases = utility_phrases()
        if not phrases.isdisjoint(lowered):
            for block, text in zip(blocks, lowered, strict=True):
                if text in phrases:
                    block.remove(STAGE, "utility-links", text)
        for index in _SEPARATED.holding(lowered):
            self._mark_small_print(blocks[index])

    def _mark_small_print(self, block: Block) -> None:
        text = block.text
        found = [(phrase, len(piece)) for piece in _SEPARATOR.split(text) if (phrase := utility_phrase(piece))]
        if found and sum(size for _, size in found) >= self.link_share * len(text):
            block.remove(STAGE, "utility-links", found[0][0])
