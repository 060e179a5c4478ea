"""What holds for every page, whatever is in it and whichever recipe cleaned it."""

from __future__ import annotations

from cleancrawl import Document
from cleancrawl.core.recipe import PHASES


def flaws(document: Document) -> list[str]:
    """What is wrong with a cleaned page: its text is not that of the kept blocks, or a removal does not say why."""
    found = []
    kept = " ".join(block.text for block in document.blocks if block.kept)
    if document.text.split() != kept.split():
        found.append("the text is not that of the kept blocks")
    if [block.index for block in document.blocks] != list(range(len(document.blocks))):
        found.append("blocks are not numbered in their order")
    found += [f"empty block {block.index}" for block in document.blocks if not block.text.strip()]
    found += [
        f"no reason: {block.removed}"
        for block in document.blocks
        if block.removed and (block.removed.stage not in PHASES or not block.removed.rule)
    ]
    if not 0 <= document.score <= 1:
        found.append(f"score {document.score}")
    return found
