"""All features of a page's blocks, and the same once more in the light of a first opinion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.methods.learned.features import block_text, context, structure, wording
from cleancrawl.methods.learned.features.facts import Facts, page_facts, with_good
from cleancrawl.methods.learned.features.sheet import Arrangement, Ints, Matrix, Space

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


def _arrangements() -> tuple[Arrangement, Arrangement]:
    values: list[int] = []
    bits: list[range] = []
    first = 0
    for part in _PARTS:
        values += [first + number for number in part.FEATURES.values]
        bits += [range(first + family.start, first + family.stop) for family in part.FEATURES.bits]
        first += len(part.FEATURES.names)
    return Arrangement(values, bits), Arrangement([*values, first], bits)


_GROUPS = _groups()
_FIRST, _SECOND = _arrangements()


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The features of a page's blocks, for one of the two looks."""

    facts: Facts
    names: tuple[str, ...]
    arrangement: Arrangement
    whole: Space
    """With room for what the second look knows besides: the last row."""

    @property
    def groups(self) -> Mapping[str, range]:
        """The rows of each group."""
        return _GROUPS

    @property
    def space(self) -> Space:
        return Space(self.whole.values[: len(self.arrangement.values)], self.whole.masks)

    @property
    def rows(self) -> Matrix:
        """A row per feature, a column per block: what training and explanations look at. Made anew each time."""
        return self.arrangement.spread(self.space)

    def look_again(self, opinion: Matrix, wanted: Ints) -> Sheet:
        """The features of ``AGAIN`` for the wanted blocks, where the good text is what a first opinion takes for
        content. It takes over the space of this sheet; what it says of other blocks means nothing.

        Main containers, branches, paths and windows are then those of the article, as far as it is known, and no
        longer those of any prose: a second article, a thread of comments and a box are beside it.
        """
        facts = with_good(self.facts, self.facts.words * opinion, wanted)
        _fill(self.whole, facts, _OF_PLACE, _OF_TEXT)
        # Half the time of ``clip``.
        opinion = np.minimum(np.maximum(opinion, _SURE), 1 - _SURE)
        np.log(opinion / (1 - opinion), out=self.whole.values[-1])
        return Sheet(facts, AGAIN, _SECOND, self.whole)


def feature_sheet(page: Page) -> Sheet:
    """The features of a page that ``TextBlocks`` has cut into at least one block."""
    facts = page_facts(page)
    values = np.empty((len(_SECOND.values), facts.size), dtype=np.float32)
    masks = np.empty((len(_SECOND.bit_counts), facts.size), dtype=np.int64)
    whole = Space(values, masks)
    _fill(whole, facts, _PARTS)
    return Sheet(facts, NAMES, _FIRST, whole)


def _fill(space: Space, facts: Facts, parts: Iterable[ModuleType], above: Iterable[ModuleType] = ()) -> None:
    """Fill the rows of some parts, which lie below those of others."""
    row = sum(len(part.FEATURES.values) for part in above)
    mask = sum(len(part.FEATURES.bits) for part in above)
    for part in parts:
        next_row, next_mask = row + len(part.FEATURES.values), mask + len(part.FEATURES.bits)
        part.fill(Space(space.values[row:next_row], space.masks[mask:next_mask]), facts)
        row, mask = next_row, next_mask
