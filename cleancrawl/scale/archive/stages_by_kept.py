"""The score phase of a page's second pass, in which stages that look at nothing but what is kept are asked once.

Some stages of the recipe ``default`` read the page and which of its blocks are kept, but neither scores nor reasons.
They run side by side. What the site tells changes scores on most pages, but what is kept on few: where that is what it
was in the first pass, these stages would say what they said there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from cleancrawl.core.block import removal
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.page import Page, Region
from cleancrawl.core.recipe import Recipe, Stage
from cleancrawl.methods.learned.author_bios import AuthorBios
from cleancrawl.methods.learned.calendars import Calendars
from cleancrawl.methods.learned.comments import ReadersComments
from cleancrawl.methods.learned.contents_list import ContentsList
from cleancrawl.methods.learned.headline import Headline
from cleancrawl.methods.learned.linked_lines import LinkedLines
from cleancrawl.methods.learned.one_article import OneArticle
from cleancrawl.methods.learned.related_boxes import RelatedBoxes
from cleancrawl.methods.learned.stock_lines import StockLines
from cleancrawl.methods.learned.trailing_headings import TrailingHeadings
from cleancrawl.methods.learned.undeclared_lines import UndeclaredLines

BY_KEPT = frozenset(
    {
        *(ReadersComments, OneArticle, RelatedBoxes, Calendars, StockLines, LinkedLines),
        *(UndeclaredLines, AuthorBios, TrailingHeadings, ContentsList, Headline),
    }
)
"""Each removes kept blocks, or finds the readers' comments among them, and does nothing else."""


class ByKept(NamedTuple):
    """What some such stages, one after another, have said of a page."""

    kept: bytes
    """A byte per block: whether it was kept before."""
    removed: list[tuple[int, str, str, str]]
    """Index, stage, rule and evidence."""
    comments: tuple[Region, ...] | None
    """None where none of them looks for comments."""

    def put_on(self, page: Page) -> None:
        if self.comments is not None:
            page.comments = self.comments
        for index, *verdict in self.removed:
            page.blocks[index].removed = removal(*verdict)


def run_score(recipe: Recipe, page: Page, before: Sequence[ByKept] = ()) -> list[ByKept]:
    """Run the score phase; ``before`` is what the first pass returned."""
    said: list[ByKept] = []
    for by_kept, stages in _spans(recipe.score):
        if not by_kept:
            for stage in stages:
                stage(page)
            continue
        kept = kept_blocks(page.blocks)
        earlier = before[len(said)] if len(said) < len(before) else None
        if earlier is not None and earlier.kept == kept:
            earlier.put_on(page)
        else:
            comments = page.comments
            for stage in stages:
                stage(page)
            earlier = ByKept(kept, told_removals(page, kept), None if page.comments is comments else page.comments)
        said.append(earlier)
    return said


def _spans(stages: Sequence[Stage]) -> list[tuple[bool, Sequence[Stage]]]:
    """The stages in their order, those that are side by side together: such stages, or others."""
    return [(by_kept, stages[first:end]) for by_kept, first, end in _spans_of(tuple(map(type, stages)))]


@cache
def _spans_of(types: tuple[type, ...]) -> list[tuple[bool, int, int]]:
    places = groupby(range(len(types)), key=lambda place: types[place] in BY_KEPT)
    return [(by_kept, span[0], span[-1] + 1) for by_kept, span in ((kind, list(some)) for kind, some in places)]


def told_removals(page: Page, before: bytes) -> list[tuple[int, str, str, str]]:
    """Index, stage, rule and evidence of blocks that were kept ``before``, a byte per block, and are no more."""
    now = kept_blocks(page.blocks)
    if now == before:
        return []
    gone = np.flatnonzero(np.frombuffer(before, np.bool_) > np.frombuffer(now, np.bool_)).tolist()
    removals = [(index, page.blocks[index].removed) for index in gone]
    return [(index, told.stage, told.rule, told.evidence) for index, told in removals if told is not None]
