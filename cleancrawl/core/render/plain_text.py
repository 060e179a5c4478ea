"""Kept blocks as plain text."""

from __future__ import annotations

from itertools import pairwise

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
    if CELLS.isdisjoint([block.tag for block in kept]) or not isinstance(layout, TextLayout):
        return "\n".join([block.text for block in kept])
    cells = layout.container.tolist()
    rows = layout.parent[layout.container].tolist()
    pieces = [kept[0].text]
    for before, block in pairwise(kept):
        # Old pages have all their text in one cell, with breaks for paragraphs.
        other_cell = cells[before.index] != cells[block.index]
        same_row = other_cell and _is_datum(before) and _is_datum(block) and rows[before.index] == rows[block.index]
        pieces.append(("\t" if same_row else "\n") + block.text)
    return "".join(pieces)


def _is_datum(block: Block) -> bool:
    return block.tag in CELLS and block.words <= MAX_CELL_WORDS and "\n" not in block.text
