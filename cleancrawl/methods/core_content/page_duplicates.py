"""METHODS A6: duplicates and near-duplicates inside a page; the first of two stays."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.fingerprints.block_prints import MIN_TERMS, near_prints
from cleancrawl.core.fingerprints.simhash import first_near, hamming
from cleancrawl.core.page import Page
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import normalise

STAGE = "secondary"


@dataclass(frozen=True, slots=True)
class PageDuplicates:
    """Marks blocks whose text, or nearly so, stood in an earlier block that is still kept."""

    distance: int = 3
    """In how many bits two fingerprints may differ."""
    window: int | None = None
    """Distance up to which terms form pairs; None is the paper's exact weight."""
    min_terms: int = MIN_TERMS
    """Blocks with fewer terms are compared by their exact text."""
    min_words: int = 1
    """Blocks with fewer words may repeat."""

    def __call__(self, page: Page) -> None:
        blocks = [block for block in page.kept if block.words >= self.min_words]
        first: dict[str, int] = {}
        fresh = []
        for block in blocks:
            earlier = first.setdefault(normalise(block.text).lower(), block.index)
            if earlier == block.index:
                fresh.append(block)
            else:
                block.remove(STAGE, "duplicate", f"same text as block {earlier}")
        prints = near_prints(
            [block.text for block in fresh],
            stop_words(page.language),
            window=self.window,
            min_terms=self.min_terms,
        )
        for position, match in enumerate(first_near(prints, self.distance)):
            if match is not None:
                apart = hamming(prints[position] or 0, prints[match] or 0)
                fresh[position].remove(STAGE, "near-duplicate", f"{apart} bits from block {fresh[match].index}")
