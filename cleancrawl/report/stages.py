"""The stages that have a colour of their own."""

from __future__ import annotations

from cleancrawl.core.block import Block

STAGES = {
    "kept": "kept",
    "primary": "primary: the block alone",
    "secondary": "secondary: page and site",
    "score": "score: weighed",
    "other": "other",
}
"""By name, with what they look at."""


def stage_of(block: Block) -> str:
    """One of ``STAGES``.

    >>> block = Block("Home", 1, 1, "li")
    >>> block.remove("own-stage", "odd")
    >>> stage_of(block), stage_of(Block("A storm.", 2, 0, "p"))
    ('other', 'kept')
    """
    if block.removed is None:
        return "kept"
    return block.removed.stage if block.removed.stage in STAGES else "other"
