"""Which text blocks hold the kept text, whatever segmentation made the page's blocks."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from cleancrawl.core.html.head import feed
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.collector import Collector
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.words import pieces, without_invisible

MIN_COVERED = 0.98
"""Share of the kept characters that must be found again; below it the markup is given up, not the text."""
_WINDOW = 400
"""How far ahead a block's text is looked for: what one segmentation drops, the other may have."""


def wanted_texts(page: Page) -> list[str | None] | None:
    """Per text block its text, None where it is not kept; None altogether where the page's blocks are not found."""
    if isinstance(page.layout, TextLayout) and len(page.layout.container) == len(page.blocks):
        return [block.text if block.kept else None for block in page.blocks]
    collector = Collector()
    feed(page.html, collector)
    return _aligned(collector.finish(), page)


def _aligned(texts: list[str], page: Page) -> list[str | None] | None:
    """Find each text, white space aside, in the running text of all blocks; it is wanted where that text was kept."""
    blocks = [_squeezed(block.text) for block in page.blocks]
    ends = list(accumulate(map(len, blocks)))
    running = "".join(blocks)
    position, covered = 0, 0
    wanted: list[str | None] = []
    for text in texts:
        squeezed = _squeezed(text)
        found = running.find(squeezed, position, position + len(squeezed) + _WINDOW)
        kept = found >= 0 and page.blocks[bisect_right(ends, found + len(squeezed) // 2)].kept
        wanted.append(text if kept else None)
        if found >= 0:
            position = found + len(squeezed)
            covered += len(squeezed) if kept else 0
    total = sum(len(text) for text, block in zip(blocks, page.blocks, strict=True) if block.kept)
    return wanted if covered >= MIN_COVERED * total else None


def _squeezed(text: str) -> str:
    return "".join("".join(without_invisible(piece).split()) for piece in pieces(text))
