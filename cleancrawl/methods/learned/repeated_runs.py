"""Text that a page shows twice: a copy for printing or another screen, a pull quote, a teaser of the article itself.

What an article repeats within its own text is content: a refrain, a meal plan, opening hours. It stands in the same
markup each time, and own lines stand between. A copy stands in other markup, or repeats a long stretch in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from cleancrawl.core.block import Block
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

REPEATED = "repeated-runs"
"""Under this name a page remembers ``Repeated``."""
Run = tuple[int, list[int], bool, bool, bool]
"""The place of its first block among the kept ones, and the places that they repeat; whether it is a copy where it is
the article's text, and where it is a notice; and whether it is one, so often is it there."""
Repeated = tuple[bytes, tuple[int, ...], list[Run]]
"""Which blocks are kept, a byte for each; the bounds of runs; and the runs."""
_CELLS = frozenset({"td", "th"})
# Tables, lists and headings repeat lines of their own; only as part of a run are they a copy.
_REPEATING = _CELLS | HEADINGS | {"li", "dt", "dd"}


@dataclass(frozen=True, slots=True)
class RepeatedRuns:
    """Remove kept blocks that repeat earlier kept ones: as runs of blocks, or alone where they are plain paragraphs.

    Runs after the score: of two copies, the one outside the content must not be the one that stays. Needs
    ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    min_run_words: int = 20
    """Two blocks or more, with this many words together, are a copy where they stand in other markup …"""
    min_copy_words: int = 100
    """… and with this many in the same markup, too: no refrain is that long."""
    min_words: int = 8
    """A single paragraph of this many words is a copy where it stands in other markup."""
    min_score: float = 0.7
    """What repeats itself in the same markup with a lower mean score is no text of the article: "This post was deleted"
    between its paragraphs."""
    most_times: int = 5
    """Nor is a paragraph that stands there more often."""

    def __call__(self, page: Page) -> None:
        flags, bounds = kept_blocks(page.blocks), self.bounds
        known: Repeated | None = page.remembered(REPEATED)
        if known is None or known[:2] != (flags, bounds):
            known = page.remember(REPEATED, (flags, bounds, list(self.runs(page))))
        runs = known[2]
        if not runs:
            return
        kept = page.kept
        for start, originals, is_copy, as_notice, is_frequent in runs:
            run = kept[start : start + len(originals)]
            if as_notice if is_frequent or self.scores_low(run) else is_copy:
                for block, original in zip(run, originals, strict=True):
                    block.remove("score", "repeated", f"same text as block {kept[original].index}")

    @property
    def bounds(self) -> tuple[int, ...]:
        """What runs depend on."""
        return self.min_run_words, self.min_copy_words, self.min_words, self.most_times

    def runs(self, page: Page) -> Iterator[Run]:
        """Runs of kept blocks that may be copies; scores have no part in it."""
        kept = page.kept
        texts = [block.text for block in kept]
        earlier = _earlier_places(texts)
        if not earlier:
            return
        layout, times = page.layout_of(TextLayout), Counter(texts)
        for start, end in _runs(earlier):
            run, originals = kept[start:end], [earlier[place] for place in range(start, end)]
            is_copy = self.is_copy(run, [kept[place] for place in originals], layout)
            as_notice = self.is_copy(run, [], layout)
            if is_copy or as_notice:
                often = any(block.tag not in _REPEATING and times[block.text] > self.most_times for block in run)
                yield start, originals, is_copy, as_notice, often

    def scores_low(self, run: list[Block]) -> bool:
        """Whether blocks that recur score too little to be the article's text, in whatever markup."""
        score = sum([(block.score or 0.0) * block.words for block in run])
        return score < self.min_score * sum([block.words for block in run])

    def is_copy(self, run: list[Block], inside: list[Block], layout: TextLayout) -> bool:
        """Whether blocks in a row that repeat others are a second copy; ``inside`` are the others, in the text."""
        words = sum([block.words for block in run])
        own = sum([b.words for b, original in zip(run, inside, strict=False) if _same_markup(b, original, layout)])
        if len(run) == 1:
            return words - own >= self.min_words and run[0].tag not in _REPEATING
        if all(block.tag in _CELLS for block in run):
            return False
        return words >= (self.min_copy_words if 2 * own > words else self.min_run_words)


def _same_markup(block: Block, original: Block, layout: TextLayout) -> bool:
    """Whether two blocks stand side by side, or in elements of the same tags and classes from the root."""
    one, other = layout.container[block.index], layout.container[original.index]
    return bool(layout.class_path[one] == layout.class_path[other] or layout.parent[one] == layout.parent[other])


def _earlier_places(texts: list[str]) -> dict[int, int]:
    """For each text that was there before, the place that it repeats: the next one of a run, else the first.

    >>> _earlier_places(["a", "b", "c", "b", "a", "b", "c"])
    {3: 1, 4: 0, 5: 1, 6: 2}
    """
    if len(set(texts)) == len(texts):
        return {}
    found: dict[int, int] = {}
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        following = found.get(place - 1, place) + 1
        if following < place and texts[following] == text:
            found[place] = following
        elif (before := first.setdefault(text, place)) != place:
            found[place] = before
    return found


def _runs(earlier: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch of places that repeats one stretch.

    >>> list(_runs({3: 1, 4: 0, 5: 1, 6: 2}))
    [(3, 4), (4, 7)]
    """
    start = end = -1
    for place, before in earlier.items():
        if place == end and before == earlier[place - 1] + 1:
            end += 1
            continue
        if start >= 0:
            yield start, end
        start, end = place, place + 1
    if start >= 0:
        yield start, end
