"""The measures of a page's blocks that several groups of features build on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cleancrawl.core.html.tags import HEADINGS, TAG_IDS, tag_ids
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.characters import COMMA, EXCLAIM, KINDS, STOP, UNSPACED
from cleancrawl.methods.learned.features.markers import Said, said
from cleancrawl.methods.learned.features.sheet import Bools, Floats, Ints, ratio, running_sums
from cleancrawl.methods.learned.hidden_elements import hidden_blocks

SUMS = {"good": 0, "chars": 1, "words": 2, "links": 3, "linked_headings": 4}
"""The rows of ``Facts.sums`` and ``Facts.held``."""
GOOD, CHARS, WORDS, LINKS, LINKED_HEADINGS = SUMS.values()
MAIN_SHARES = {"half": 0.5, "most": 0.75, "nearly all": 0.9}
"""The share of the page's good text that each of its main containers holds."""
HALF, MOST, NEARLY_ALL = range(len(MAIN_SHARES))


def _flags(*tags: str) -> Bools:
    flags = np.zeros(len(TAG_IDS), dtype=bool)
    flags[list(tag_ids(*tags))] = True
    return flags


_IS_HEADING = _flags(*HEADINGS)
_IS_TEXT = _flags("p", "li", "blockquote", "pre", "dd", "dt", "figcaption", *HEADINGS)


@dataclass(slots=True, eq=False)
class Facts:
    """Arrays over blocks."""

    page: Page
    layout: TextLayout
    texts: list[str]
    last_kind: Ints
    first_kind: Ints
    counts: Ints
    """Characters of each kind (rows) in each block (columns)."""
    chars: Floats
    words: Floats
    said: Said
    link_density: Floats
    good: Floats
    """Words of punctuated blocks with few links."""
    total_good: float
    index: Ints
    """The number of each block."""
    wanted: Ints
    """The numbers of the blocks that the model looks at: those of others need no features of their place."""
    tag: Ints
    """``tags.TAG_IDS`` of each block's container."""
    depth: Ints
    """How many containers lie around each block."""
    heading: Bools
    sums: Floats
    """Running sums over blocks, a row for each of ``SUMS``: good words, characters, words, link characters, linked
    headings."""
    held: Floats
    """The same sums over the blocks of each container."""
    mains: Ints
    """The lowest containers with each of ``MAIN_SHARES`` of the good text."""

    @property
    def size(self) -> int:
        return len(self.chars)

    def inside(self, container: int) -> Bools:
        """Which blocks lie in a container."""
        found = np.zeros(self.size, dtype=bool)
        found[self.layout.first_block[container] : self.layout.end_block[container]] = True
        return found


class Measured(NamedTuple):
    """See ``Facts``."""

    words: Floats
    link_density: Floats
    good: Floats
    heading: Bools
    tag: Ints
    depth: Ints


class Weighed(NamedTuple):
    """See ``Facts``."""

    sums: Floats
    held: Floats
    mains: Ints


def page_facts(page: Page) -> Facts:
    """Measure the blocks of a page that has at least one."""
    layout = page.layout_of(TextLayout)
    texts = [block.text for block in page.blocks]
    measures = layout.measures
    measured = measured_blocks(layout, hidden_blocks(page))
    sums, held, mains = weighed_containers(layout, measured)
    index = np.arange(len(texts))
    return Facts(
        page=page,
        layout=layout,
        texts=texts,
        first_kind=measures.first_kind,
        last_kind=measures.last_kind,
        counts=measures.counts,
        chars=measures.lengths.astype(np.float64),
        words=measured.words,
        said=said(texts, page.language),
        link_density=measured.link_density,
        good=measured.good,
        total_good=max(float(sums[GOOD, -1]), 1.0),
        index=index,
        wanted=index,
        tag=measured.tag,
        depth=measured.depth,
        heading=measured.heading,
        sums=sums,
        held=held,
        mains=mains,
    )


def with_good(facts: Facts, good: Floats, wanted: Ints) -> Facts:
    """The facts of a page whose good text is another, of which some blocks are looked at."""
    measured = Measured(facts.words, facts.link_density, good, facts.heading, facts.tag, facts.depth)
    sums, held, mains = weighed_containers(facts.layout, measured)
    total = max(float(sums[GOOD, -1]), 1.0)
    return replace(facts, wanted=wanted, good=good, total_good=total, sums=sums, held=held, mains=mains)


def measured_in_python(layout: TextLayout, hidden: Bools | None) -> Measured:
    """The measures of each block; of hidden ones no text is good."""
    measures = layout.measures
    counts = measures.counts
    words = np.maximum(measures.runs, counts[UNSPACED]).astype(np.float64)
    link_density = np.minimum(ratio(layout.link_chars, measures.lengths), 1.0)
    punctuated = counts[STOP] + counts[EXCLAIM] + counts[COMMA] > 0
    good = np.where(punctuated & (words >= 8) & (link_density < 0.35), words * (1 - link_density), 0.0)
    if hidden is not None:
        good[hidden] = 0
    tag = layout.tag[layout.container]
    return Measured(words, link_density, good, _IS_HEADING[tag], tag, layout.depth[layout.container])


def weighed_in_python(layout: TextLayout, measured: Measured) -> Weighed:
    """Sums over the blocks and over those of each container, and the main containers."""
    amounts = np.empty((len(SUMS), len(measured.words)))
    amounts[GOOD], amounts[CHARS], amounts[WORDS] = measured.good, layout.measures.lengths, measured.words
    amounts[LINKS], amounts[LINKED_HEADINGS] = layout.link_chars, measured.heading & (measured.link_density > 0.9)
    sums = running_sums(amounts)
    held = sums.take(layout.end_block, axis=-1)
    held -= sums.take(layout.first_block, axis=-1)
    return Weighed(sums, held, _main_containers(layout, held[GOOD]))


def _main_containers(layout: TextLayout, good: Floats) -> Ints:
    if not good[0]:
        return np.zeros(len(MAIN_SHARES), dtype=np.int64)
    least, *others = MAIN_SHARES.values()
    # A container comes after its ancestors: the last one that holds enough is the lowest.
    enough = (good >= least * good[0]).nonzero()[0]
    enough = enough[~_IS_TEXT[layout.tag[enough]]]
    held = good[enough]
    return np.array([enough[-1], *(enough[held >= share * good[0]][-1] for share in others)])


_GIVEN = {
    "kinds": {name: number for number, name in enumerate(KINDS)},
    "sums": SUMS,
    "shares": np.array(list(MAIN_SHARES.values())),
    "headings": _IS_HEADING.view(np.uint8),
    "texts": _IS_TEXT.view(np.uint8),
}
_part = compiled("block_facts")
_twin = _part and _part.BlockFacts(**_GIVEN)


def measured_compiled(layout: TextLayout, hidden: Bools | None) -> Measured:
    """The same in one pass over the blocks."""
    assert _twin
    size = len(layout.container)
    numbers, heading, places = np.empty((3, size)), np.empty(size, dtype=np.bool_), np.empty((2, size), dtype=np.int64)
    shown = None if hidden is None else hidden.view(np.uint8)
    _twin.measure(layout, shown, numbers, heading.view(np.uint8), places)
    words, link_density, good = numbers
    tag, depth = places
    return Measured(words, link_density, good, heading, tag, depth)


def weighed_compiled(layout: TextLayout, measured: Measured) -> Weighed:
    """The same in one pass over blocks and containers."""
    assert _twin
    sums, held = np.empty((len(SUMS), len(measured.words) + 1)), np.empty((len(SUMS), len(layout.parent)))
    mains = np.empty(len(MAIN_SHARES), dtype=np.int64)
    _twin.weigh(layout, measured, sums, held, mains)
    return Weighed(sums, held, mains)


measured_blocks = measured_in_python if _part is None else measured_compiled
weighed_containers = weighed_in_python if _part is None else weighed_compiled
