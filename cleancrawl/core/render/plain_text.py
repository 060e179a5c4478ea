"""Kept blocks as plain text."""

from __future__ import annotations

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

CELLS = frozenset({"td", "th"})
MAX_CELL_WORDS = 60
"""A cell with more is no datum but a column of text."""


def to_text(page: Page) -> str:
    """A line per paragraph, heading, list item or row of a table; the cells of a row are apart by tabs."""
    kept = page.kept
    layout = page.layout
    texts, in_cells = [block.text for block in kept], [block.tag in CELLS for block in kept]
    if True not in in_cells or not isinstance(layout, TextLayout):
        return "\n".join(texts)
    container = layout.container
    rows = layout.parent[container]
    pieces = [texts[0]]
    for place, text in enumerate(texts[1:], 1):
        # Old pages have all their text in one cell, with breaks for paragraphs.
        same_row = False
        if in_cells[place - 1] and in_cells[place]:
            before, block = kept[place - 1], kept[place]
            one, other = before.index, block.index
            same_row = bool(rows[one] == rows[other] and container[one] != container[other])
            same_row = same_row and _is_datum(before) and _is_datum(block)
        pieces.append(("\t" if same_row else "\n") + text)
    return "".join(pieces)


def _is_datum(block: Block) -> bool:
    return block.words <= MAX_CELL_WORDS and "\n" not in block.text
