"""METHODS D1–D4: blocks cut at the key patterns of child-tag sequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import ClassVar, NamedTuple

from cleancrawl.core.block import Block
from cleancrawl.core.html.outline import PHRASING, Outline, read_outline
from cleancrawl.core.html.thinning import MOST_BLOCKS
from cleancrawl.core.page import Layout, Page
from cleancrawl.core.text.words import count_words
from cleancrawl.methods.key_pattern.repetitions import cut

UNWRAPPED = frozenset({"a", "b", "span"})
"""D1: tags of little meaning; they go, their text stays."""
_LOOSE = "#text"


class Item(NamedTuple):
    """A child in a sequence: an element, or text that lies loose between elements."""

    tag: str
    element: int
    """-1 for loose text."""
    text_start: int
    text_end: int
    tags: int
    """Elements in it, itself included: its share of a block's importance."""


@dataclass(slots=True)
class TagLayout(Layout):
    """Per block, aligned with ``page.blocks``: D5's number of tags."""

    tags: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KeyPatternBlocks:
    """Cut a page at the key patterns of its elements' children; fills ``page.blocks`` and ``page.layout``."""

    makes: ClassVar[type[TagLayout]] = TagLayout

    share: float = 0.1
    """Children that hold more of the page's text are looked into; 1.0 is the letter: one level deep."""
    overlap: bool = False
    """Whether a pattern of different tags may overlap itself (the letter); see ``key_patterns``."""

    loose_text: bool = True
    """Whether text between elements is a child of its own. By the letter, False, tags alone are."""

    def __call__(self, page: Page) -> None:
        outline, page.head = read_outline(page.html, UNWRAPPED)
        layout = page.layout = TagLayout()
        total, linked = outline.words_before(), outline.words_before(linked=True)
        pieces = longest(list(self._pieces(outline)), outline)
        page.left_out += pieces.left_out
        for piece in pieces.kept:
            start, end = piece[0].text_start, piece[-1].text_end
            text = outline.lines(start, end)
            if text:
                link_words = linked[end] - linked[start]
                words = count_words(text)
                # Words glued over inline tags count once in the text and twice in the running totals.
                link_words = words if link_words == total[end] - total[start] else min(link_words, words)
                page.blocks.append(Block(text, words, link_words, piece[0].tag, index=len(page.blocks)))
                layout.tags.append(sum(item.tags for item in piece))

    def _pieces(self, outline: Outline) -> Iterator[list[Item]]:
        """Blocks as runs of siblings, in document order. Walks with a stack: pages may be thousands of levels deep."""
        characters = list(accumulate(map(len, outline.texts), initial=0))
        limit = self.share * characters[-1]
        root = next((number for number, tag in enumerate(outline.tags) if tag == "body"), 0)
        stack: list[Iterator[list[Item]]] = [self._cut(outline, root)] if outline.tags else []
        while stack:
            piece = next(stack[-1], None)
            if piece is None:
                stack.pop()
                continue
            run: list[Item] = []
            for index, item in enumerate(piece):
                heavy = characters[item.text_end] - characters[item.text_start] > limit
                if heavy and _divides(outline, item.element):
                    stack.append(_chain(piece[index + 1 :]))
                    stack.append(self._cut(outline, item.element))
                    break
                run.append(item)
            if run:
                yield run

    def _cut(self, outline: Outline, element: int) -> Iterator[list[Item]]:
        items = list(_items(outline, element, self.loose_text))
        for start, end in cut([item.tag for item in items], overlap=self.overlap):
            if start < end:
                yield items[start:end]


class Pieces(NamedTuple):
    kept: list[list[Item]]
    left_out: int


def longest(pieces: list[list[Item]], outline: Outline) -> Pieces:
    """Pieces with text, in their order; of more than ``MOST_BLOCKS`` the longest.

    Line breaks and unknown elements make blocks here that make none elsewhere, so that pages that were cut down to so
    many blocks may still have more.
    """
    before = list(accumulate(map(len, outline.texts), initial=0))
    sizes = [before[piece[-1].text_end] - before[piece[0].text_start] for piece in pieces]
    wanted = [number for number, size in enumerate(sizes) if size]
    if len(wanted) <= MOST_BLOCKS:
        return Pieces([pieces[number] for number in wanted], 0)
    kept = sorted(sorted(wanted, key=lambda number: -sizes[number])[:MOST_BLOCKS])
    return Pieces([pieces[number] for number in kept], len(wanted) - MOST_BLOCKS)


def _chain(rest: list[Item]) -> Iterator[list[Item]]:
    if rest:
        yield rest


def _items(outline: Outline, element: int, loose_text: bool) -> Iterator[Item]:
    text = outline.text_starts[element]
    for child in outline.children(element):
        start, end = outline.text_starts[child], outline.text_ends[child]
        if loose_text and text < start:
            yield Item(_LOOSE, -1, text, start, 0)
        yield Item(outline.tags[child], child, start, end, outline.ends[child] - child)
        text = end
    if loose_text and text < outline.text_ends[element]:
        yield Item(_LOOSE, -1, text, outline.text_ends[element], 0)


def _divides(outline: Outline, element: int) -> bool:
    """Whether an element holds more than a line of text with inline tags."""
    return element >= 0 and any(outline.tags[child] not in PHRASING for child in outline.children(element))
