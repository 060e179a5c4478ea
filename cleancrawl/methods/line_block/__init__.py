"""Line blocks of the source, without a tree (METHODS E)."""

from __future__ import annotations

from cleancrawl.core.recipe import Recipe
from cleancrawl.methods.line_block.line_blocks import LineBlocks
from cleancrawl.methods.line_block.line_ratios import LineRatios


def recipe() -> Recipe:
    """METHODS E."""
    return Recipe(
        name="line-block",
        summary="lines of the source joined into blocks, kept by text per tag and anchor text; no tree",
        segment=(LineBlocks(),),
        score=(LineRatios(thresholds="deviation"),),
    )
