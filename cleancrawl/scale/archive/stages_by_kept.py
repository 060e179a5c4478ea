"""The score phase of a page's second pass, in which stages that look at nothing but what is kept are asked once.

Some stages of the recipe ``default`` read the page and which of its blocks are kept, but neither scores nor reasons.
They run side by side. What the site tells changes scores on most pages, but what is kept on few: where that is what it
was in the first pass, these stages would say what they said there.
"""

from __future__ import annotations

from typing import NamedTuple

from cleancrawl.core.block import Removal
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.page import Page, Region
from cleancrawl.core.recipe import Recipe, Stage
from cleancrawl.methods.learned.calendars import Calendars
from cleancrawl.methods.learned.comments import ReadersComments
from cleancrawl.methods.learned.linked_lines import LinkedLines
from cleancrawl.methods.learned.one_article import OneArticle
from cleancrawl.methods.learned.related_boxes import RelatedBoxes
from cleancrawl.methods.learned.stock_lines import StockLines

BY_KEPT = frozenset({ReadersComments, OneArticle, RelatedBoxes, Calendars, StockLines, LinkedLines})
"""Each removes kept blocks, or finds the readers' comments among them, and does nothing else."""


class ByKept(NamedTuple):
    """What such stages have said of a page."""

    kept: bytes
    """A byte per block: whether it was kept before."""
    removed: list[tuple[int, str, str, str]]
    """Index, stage, rule and evidence."""
    comments: tuple[Region, ...] | None

    def put_on(self, page: Page) -> None:
        page.comments = self.comments
        for index, *verdict in self.removed:
            page.blocks[index].removed = Removal(*verdict)


def run_score(recipe: Recipe, page: Page, before: ByKept | None = None) -> ByKept:
    """Run the score phase; ``before`` is what the first pass returned."""
    first, end = _span(recipe.score)
    for stage in recipe.score[:first]:
        stage(page)
    kept = kept_blocks(page.blocks)
    if before is not None and before.kept == kept:
        said = before
        said.put_on(page)
    else:
        for stage in recipe.score[first:end]:
            stage(page)
        said = ByKept(kept, _removed(page, kept), page.comments)
    for stage in recipe.score[end:]:
        stage(page)
    return said


def _span(stages: tuple[Stage, ...]) -> tuple[int, int]:
    """The first such stages that are side by side: from the first to before the last number."""
    first = next((place for place, stage in enumerate(stages) if type(stage) in BY_KEPT), len(stages))
    end = next((place for place in range(first, len(stages)) if type(stages[place]) not in BY_KEPT), len(stages))
    return first, end


def _removed(page: Page, kept: bytes) -> list[tuple[int, str, str, str]]:
    return [
        (block.index, block.removed.stage, block.removed.rule, block.removed.evidence)
        for block, before in zip(page.blocks, kept, strict=True)
        if before and block.removed is not None
    ]
