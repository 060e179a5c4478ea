"""The recipes, as data: a function per recipe that returns its stages, imported when the recipe is chosen."""

from __future__ import annotations

from collections.abc import Callable

from cleancrawl.core.recipe import Recipe


def default() -> Recipe:
    """Text blocks, high-precision rules, and the score that measures best."""
    from cleancrawl.core.primary.hidden import HiddenBlocks
    from cleancrawl.core.score.density import DensityScore
    from cleancrawl.core.segment.text_blocks import TextBlocks

    return Recipe(
        name="default",
        summary="text blocks found while parsing, high-precision rules, the best-measured score",
        segment=(TextBlocks(),),
        primary=(HiddenBlocks(),),
        score=(DensityScore(),),
    )


def line_block() -> Recipe:
    """METHODS E."""
    from cleancrawl.core.score.line_ratios import LineRatios
    from cleancrawl.core.segment.lines import LineBlocks

    return Recipe(
        name="line-block",
        summary="lines of the source joined into blocks, kept by text per tag and anchor text; no tree",
        segment=(LineBlocks(),),
        score=(LineRatios(thresholds="deviation"),),
    )


RECIPES: dict[str, Callable[[], Recipe]] = {
    "default": default,
    "line-block": line_block,
}
