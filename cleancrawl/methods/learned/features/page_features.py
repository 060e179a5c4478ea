"""All features of a page's blocks, and the same once more in the light of a first opinion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.methods.learned.features import block_text, context, structure, wording
from cleancrawl.methods.learned.features.facts import Facts, page_facts, with_good
from cleancrawl.methods.learned.features.sheet import Matrix

_OF_TEXT, _OF_PLACE = (block_text, wording), (structure, context)
"""Those of a block alone; those that depend on where the page's good text lies."""
_PARTS = (*_OF_TEXT, *_OF_PLACE)
NAMES = tuple(name for part in _PARTS for name in part.FEATURES.names)
FIRST_OPINION = "first opinion"
AGAIN = (*NAMES, FIRST_OPINION)
"""The features of the second look."""
_SURE = 1e-4
"""Opinions nearer to 0 or 1 than this are all the same."""


def _groups() -> dict[str, range]:
    found: dict[str, range] = {}
    end = 0
    for part in _PARTS:
        for group, names in part.FEATURES.groups.items():
            found[group] = range(end, end := end + len(names))
    return found


_GROUPS = _groups()


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The features of a page's blocks. Their rows are those of the first look until ``look_again`` takes them over."""

    facts: Facts
    space: Matrix
    """A row per feature of the second look, a column per block."""

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES

    @property
    def groups(self) -> Mapping[str, range]:
        """The rows of each group."""
        return _GROUPS

    @property
    def rows(self) -> Matrix:
        """A row per feature, a column per block."""
        return self.space[: len(NAMES)]

    def look_again(self, opinion: Matrix) -> Matrix:
        """The rows of ``AGAIN`` where the good text is what a first opinion takes for content.

        Main containers, branches, paths and windows are then those of the article, as far as it is known, and no
        longer those of any prose: a second article, a thread of comments and a box are beside it.
        """
        facts = with_good(self.facts, self.facts.words * opinion)
        first = sum(len(part.FEATURES.names) for part in _OF_TEXT)
        _fill(self.space, facts, _OF_PLACE, first)
        opinion = np.clip(opinion, _SURE, 1 - _SURE)
        np.log(opinion / (1 - opinion), out=self.space[-1])
        return self.space


def feature_sheet(page: Page) -> Sheet:
    """The features of a page that ``TextBlocks`` has cut into at least one block."""
    facts = page_facts(page)
    space = np.empty((len(AGAIN), facts.size), dtype=np.float32)
    _fill(space, facts, _PARTS, 0)
    return Sheet(facts, space)


def _fill(space: Matrix, facts: Facts, parts: Iterable[ModuleType], first: int) -> None:
    for part in parts:
        end = first + len(part.FEATURES.names)
        part.fill(space[first:end], facts)
        first = end
