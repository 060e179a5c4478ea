"""Text that a page shows twice: a copy for printing or another screen, a pull quote, a teaser of the article itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page

_CELLS = frozenset({"td", "th"})
# Tables, lists and headings repeat lines of their own; only as part of a run are they a copy.
_REPEATING = _CELLS | HEADINGS | {"li", "dt", "dd"}


@dataclass(frozen=True, slots=True)
class RepeatedRuns:
    """Remove kept blocks that repeat earlier kept ones: as runs of blocks, or alone where they are plain paragraphs.

    Runs after the score: of two copies, the one outside the content must not be the one that stays.
    """

    run: int = 2
    min_run_words: int = 20
    min_words: int = 8

    def __call__(self, page: Page) -> None:
        kept = page.kept
        for place, earlier in self.copies(kept).items():
            kept[place].remove("score", "repeated", f"same text as block {kept[earlier].index}")

    def copies(self, kept: list[Block]) -> dict[int, int]:
        """The places of copies in the list of kept blocks, with the place of what they repeat."""
        texts = [block.text for block in kept]
        if len(set(texts)) == len(texts):
            return {}
        # Nothing else can be part of a copy.
        twice = [place for place, number in enumerate(map(Counter(texts).__getitem__, texts)) if number > 1]
        found: dict[int, int] = {}
        runs: dict[tuple[str, ...], int] = {}
        for first, last in zip(twice, twice[self.run - 1 :], strict=False):
            blocks = kept[first : first + self.run]
            if (
                last - first >= self.run
                or sum([block.words for block in blocks]) < self.min_run_words
                or all(block.tag in _CELLS for block in blocks)
            ):
                continue
            earlier = runs.setdefault(tuple(texts[first : first + self.run]), first)
            if earlier + self.run <= first:
                found.update((first + step, earlier + step) for step in range(self.run))
        alone: dict[str, int] = {}
        for place in twice:
            block = kept[place]
            if block.words >= self.min_words and block.tag not in _REPEATING and place not in found:
                earlier = alone.setdefault(block.text, place)
                if earlier != place:
                    found[place] = earlier
        return found
