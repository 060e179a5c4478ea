"""Text blocks: the finest pieces of text between block-level tags."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from cleancrawl.core.block import Block
from cleancrawl.core.block_columns import make_blocks
from cleancrawl.core.html.dom import fits_tree, parse_source
from cleancrawl.core.html.head import source_bytes, without_nulls
from cleancrawl.core.html.tags import BLOCK_TAGS, SWALLOWING_TAGS
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.rules.attributes import AttributeRules
from cleancrawl.core.segmentation.article_body import with_article_body
from cleancrawl.core.segmentation.page_state import with_stated_body
from cleancrawl.core.segmentation.readings import Reading, read_events, read_parsed, read_tree, reads_trees
from cleancrawl.core.segmentation.text_layout import TextLayout

_RULES = AttributeRules(affiliates=False)
_TAGS = ("", *BLOCK_TAGS)
_SWALLOWING = re.compile(rf"</?(?:{'|'.join(sorted(SWALLOWING_TAGS))})\b[^>]*+>?", re.I)


@dataclass(frozen=True, slots=True)
class TextBlocks:
    """METHODS B1 with HTML5's tags: a block ends where a block-level tag opens or closes, or at two ``br`` in a row.

    One pass fills ``page.blocks``, ``page.head`` and ``page.layout``. Inline tags neither split nor glue
    words; ``pre`` keeps its lines; scripts, style sheets, form controls and inline hidden elements leave no text.
    An article that only JSON-LD or a framework's embedded state has is read as if it stood at the page's end.
    """

    makes: ClassVar[type[TextLayout]] = TextLayout
    heeds: ClassVar[frozenset[str]] = frozenset()
    """What it notes by ad domains counts where a later stage looks at it."""

    rules: AttributeRules = _RULES
    """Asked about links, about what is embedded, and about block-level elements whose class or id hints at an
    advertisement or whose style states a size; other elements cost too much."""
    min_unseen: int = 1000
    """Where more characters than this, and four times those that are left, lie in elements such as ``noscript``, one
    of them was not closed: the page is read again as if it had none."""

    max_shown: int = 150
    """A page with fewer words outside of links is searched for the state of a framework."""

    def tailored(self, wishes: Wishes) -> TextBlocks:
        return replace(self, rules=self.rules.with_domains(wishes.ad_domains))

    def __call__(self, page: Page) -> None:
        reading = read(page, self.rules)
        if reading.unseen > self.min_unseen and reading.unseen > 4 * sum(map(len, reading.texts)):
            page.html = page.bounded(_SWALLOWING.sub(" ", page.html))
            reading = read_source(page.html, self.rules)
        else:
            html = with_article_body(page.html, reading.head, reading.texts) if reading.head.json_ld else None
            if html is None and self.max_shown > reading.unlinked_words:
                html = with_stated_body(page, reading.head, reading.texts)
            if html is not None:
                page.html = page.bounded(html)
                # The head is the same, and what it knows was parsed already.
                reading = read_source(page.html, self.rules)._replace(head=reading.head)
        page.layout, page.head = reading.layout, reading.head
        page.blocks = blocks_of(reading.texts, reading.layout)


def blocks_of(texts: list[str], layout: TextLayout) -> list[Block]:
    """The blocks of these texts, in the order of the layout."""
    return make_blocks(texts, layout.measures.words, layout.link_words, layout.tag[layout.container], _TAGS)


def read(page: Page, rules: AttributeRules) -> Reading:
    """Read a page from a tree that is there anyway, or else from its source."""
    borrow, page.borrow = page.borrow, None
    encoded, page.encoded = page.encoded, None
    root = borrow() if borrow and reads_trees() else None
    found = None if root is None else read_tree(root, rules)
    return found or read_source(page.html, rules, encoded)


def read_source(html: str, rules: AttributeRules, encoded: bytes | None = None) -> Reading:
    """Read a source: from the parser's events, compiled, or where lxml does not show its parser, from a tree, if it
    fits one. Else Python reads the events.

    ``encoded`` is the same in UTF-8, where that is there already.
    """
    source = source_bytes(html) if encoded is None else without_nulls(encoded)
    found = read_parsed(source, rules)
    if found is None and reads_trees() and fits_tree(source):
        root = parse_source(source)
        found = None if root is None else read_tree(root, rules)
    return found or read_events(source, rules)
