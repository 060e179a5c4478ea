"""The measures of a page's blocks that several groups of features build on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cleancrawl.core.html.tags import HEADINGS, TAG_IDS, tag_ids
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.characters import COMMA, EXCLAIM, STOP, UNSPACED
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
    last_kind: Ints
    first_kind: Ints
    counts: Floats
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


def page_facts(page: Page) -> Facts:
    """Measure the blocks of a page that has at least one."""
    layout = page.layout_of(TextLayout)
    texts = [block.text for block in page.blocks]
    measures = layout.measures
    lengths, counts = measures.lengths, measures.counts.astype(np.float64)
    words = np.maximum(measures.runs, counts[UNSPACED])
    link_density = np.minimum(ratio(layout.link_chars, lengths), 1.0)
    punctuated = counts[STOP] + counts[EXCLAIM] + counts[COMMA] > 0
    good = np.where(punctuated & (words >= 8) & (link_density < 0.35), words * (1 - link_density), 0.0)
    hidden = hidden_blocks(page)
    if hidden is not None:
        good[hidden] = 0
    tag = layout.tag[layout.container]
    heading = _IS_HEADING[tag]
    amounts = np.empty((len(SUMS), len(texts)))
    amounts[GOOD], amounts[CHARS], amounts[WORDS], amounts[LINKS] = good, lengths, words, layout.link_chars
    amounts[LINKED_HEADINGS] = heading & (link_density > 0.9)
    sums = running_sums(amounts)
    held = _held(layout, sums)
    index = np.arange(len(texts))
    return Facts(
        page=page,
        layout=layout,
        first_kind=measures.first_kind,
        last_kind=measures.last_kind,
        counts=counts,
        chars=lengths.astype(np.float64),
        words=words,
        said=said(texts, page.language),
        link_density=link_density,
        good=good,
        total_good=max(float(sums[GOOD, -1]), 1.0),
        index=index,
        tag=tag,
        depth=layout.depth[layout.container],
        heading=heading,
        sums=sums,
        held=held,
        mains=_main_containers(layout, held[GOOD]),
    )


def with_good(facts: Facts, good: Floats) -> Facts:
    """The facts of a page whose good text is another."""
    sums = facts.sums.copy()
    np.cumsum(good, out=sums[GOOD, 1:])
    held = facts.held.copy()
    held[GOOD] = _held(facts.layout, sums[GOOD])
    mains = _main_containers(facts.layout, held[GOOD])
    return replace(facts, good=good, total_good=max(float(sums[GOOD, -1]), 1.0), sums=sums, held=held, mains=mains)


def _held(layout: TextLayout, sums: Floats) -> Floats:
    """The sums over the blocks of each container."""
    held = sums.take(layout.end_block, axis=-1)
    held -= sums.take(layout.first_block, axis=-1)
    return held


def _main_containers(layout: TextLayout, good: Floats) -> Ints:
    if not good[0]:
        return np.zeros(len(MAIN_SHARES), dtype=np.int64)
    least, *others = MAIN_SHARES.values()
    # A container comes after its ancestors: the last one that holds enough is the lowest.
    enough = (good >= least * good[0]).nonzero()[0]
    enough = enough[~_IS_TEXT[layout.tag[enough]]]
    held = good[enough]
    return np.array([enough[-1], *(enough[held >= share * good[0]][-1] for share in others)])
