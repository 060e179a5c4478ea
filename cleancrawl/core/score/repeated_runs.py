"""Text that a page shows twice: a copy for printing or another screen, a pull quote, a teaser of the article itself."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.page import Block, Page
from cleancrawl.core.segment.tags import HEADINGS

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
        if len({block.text for block in kept}) == len(kept):
            return {}
        found: dict[int, int] = {}
        runs: dict[tuple[str, ...], int] = {}
        for place in range(len(kept) - self.run + 1):
            blocks = kept[place : place + self.run]
            if sum(block.words for block in blocks) < self.min_run_words or all(
                block.tag in _CELLS for block in blocks
            ):
                continue
            earlier = runs.setdefault(tuple(block.text for block in blocks), place)
            if earlier + self.run <= place:
                found.update((place + step, earlier + step) for step in range(self.run))
        first: dict[str, int] = {}
        for place, block in enumerate(kept):
            if block.words >= self.min_words and block.tag not in _REPEATING and place not in found:
                earlier = first.setdefault(block.text, place)
                if earlier != place:
                    found[place] = earlier
        return found
