"""The running text that is a page's own, and what of other pages' text stands among it.

A page that quotes an article shows a part of it, and so does the article. There it stands in the place of the rest of
the text: what tells it from the boxes and notices of a template, which have places of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import tag_ids
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

SENTENCE, PARAGRAPH = 8, 15
"""Words from which on a block without many links counts as text of the page, and as running text of a body."""
QUOTES = frozenset(tag_ids("blockquote"))
"""Whatever their class: they are part of the text around them."""
PLAIN = QUOTES | frozenset(tag_ids("p", "ul", "ol", "li", "dl", "dt", "dd", "pre"))
"""Elements of a text. With a class they may be a box of the template."""
MOST_STEPS = 8


class Place(NamedTuple):
    """Where a text stands."""

    holder: int
    """The class path of the element that holds it and the texts beside it."""
    path: int
    plain: bool
    """Whether no class sets it apart from them."""


class Text(NamedTuple):
    number: int
    """Of its block."""
    words: int
    place: Place


class Among(NamedTuple):
    """Blocks that are known from other pages, by where they stand."""

    inside: set[int]
    """Between paragraphs that are the page's own."""
    edges: set[int]
    """Above or below all of them."""


def is_text(block: Block) -> bool:
    return block.words >= SENTENCE and 2 * block.link_words < block.words


def among_own_text(page: Page, known: Collection[int]) -> Among:
    """Which known texts stand where the page's own running text stands, if more of the text there is its own."""
    found = Among(set(), set())
    # What recurs is hardly ever text, and then there is nothing to look for.
    if not isinstance(page.layout, TextLayout) or not any(is_text(page.blocks[number]) for number in known):
        return found
    by_holder: dict[int, list[Text]] = {}
    for number, block in enumerate(page.blocks):
        if block.kept and is_text(block):
            place = place_of(page.layout, int(page.layout.container[number]))
            by_holder.setdefault(place.holder, []).append(Text(number, block.words, place))
    for texts in by_holder.values():
        own = [text for text in texts if text.number not in known and text.words >= PARAGRAPH]
        seen = [text for text in texts if text.number in known]
        # Of what has a class, most must be the page's own in that class.
        balance = Counter[int]()
        for sign, some in ((1, own), (-1, seen)):
            for text in some:
                balance[text.place.path] += sign * text.words
        seen = [text for text in seen if text.place.plain or balance[text.place.path] > 0]
        if sum(text.words for text in own) > sum(text.words for text in seen):
            for text in seen:
                (found.inside if own[0].number < text.number < own[-1].number else found.edges).add(text.number)
    return found


def place_of(layout: TextLayout, container: int) -> Place:
    """The place of a text by its innermost container."""
    path, plain, holder = int(layout.class_path[container]), True, container
    for _ in range(MOST_STEPS):
        tag = int(layout.tag[holder])
        if tag not in PLAIN:
            break
        plain &= tag in QUOTES or int(layout.class_path[holder]) not in layout.class_names
        holder = int(layout.parent[holder])
    return Place(int(layout.class_path[holder]), path, plain)
