"""Pages cut where sequences of child tags repeat (METHODS D)."""

from __future__ import annotations

from cleancrawl.core.recipe import Recipe
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks
from cleancrawl.methods.key_pattern.tag_count import TagCount


def recipe() -> Recipe:
    """METHODS D."""
    return Recipe(
        name="key-pattern",
        summary="pages cut where sequences of child tags repeat; blocks with few tags are noise",
        segment=(KeyPatternBlocks(),),
        score=(TagCount(),),
    )
