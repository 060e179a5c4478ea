"""Taking back a score's verdict, in the light of what stands around a block."""

from __future__ import annotations

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page


def was_judged(block: Block) -> bool:
    """Whether nothing but its score removed the block: what a rule names stays removed."""
    return block.removed is not None and block.removed.rule == "learned"


def bring_back(page: Page, block: Block, reason: str) -> None:
    """Keep the block after all; explanations show the reason."""
    block.removed = None
    page.notes[block.index] = reason
