"""Text that a page shows twice: a copy for printing or another screen, a pull quote, a teaser of the article itself.

What an article repeats within its own text is content: a refrain, a meal plan, opening hours. It stands in the same
markup each time, and own lines stand between. A copy stands in other markup, or repeats a long stretch in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from cleancrawl.core.block import Block
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout

REPEATED = "repeated-runs"
"""Under this name a page remembers ``Repeated``."""
Repeated = tuple[bytes, dict[int, int], dict[int, int]]
"""Which blocks are kept, a byte for each; which of these repeat which, and how many have the text of each such one."""
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
        flags = kept_blocks(page.blocks)
        known: Repeated | None = page.remembered(REPEATED)
        if known is None or known[0] != flags:
            known = page.remember(REPEATED, (flags, *_repeated([block.text for block in page.kept])))
        _, earlier, times = known
        if not earlier:
            return
        kept, layout = page.kept, page.layout_of(TextLayout)
        for start, end in _runs(earlier):
            run = kept[start:end]
            originals = [kept[earlier[place]] for place in range(start, end)]
            notice = self.is_notice(run, [times[place] for place in range(start, end)])
            if self.is_copy(run, [] if notice else originals, layout):
                for block, original in zip(run, originals, strict=True):
                    block.remove("score", "repeated", f"same text as block {original.index}")

    def is_notice(self, run: list[Block], times: Sequence[int]) -> bool:
        """Whether blocks that recur are none of the article's text, in whatever markup; each does so many times."""
        score = sum([(block.score or 0.0) * block.words for block in run])
        return score < self.min_score * sum([block.words for block in run]) or any(
            block.tag not in _REPEATING and number > self.most_times for block, number in zip(run, times, strict=True)
        )

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


def _repeated(texts: list[str]) -> tuple[dict[int, int], dict[int, int]]:
    """``_earlier_places``, and how often there is the text of each of them."""
    earlier = _earlier_places(texts)
    times = Counter(texts) if earlier else Counter[str]()
    return earlier, {place: times[texts[place]] for place in earlier}


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
