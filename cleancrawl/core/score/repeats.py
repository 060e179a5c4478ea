"""Text that a page shows twice: a hidden copy for printing, a pull quote, a teaser of the article itself."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.page import Page


@dataclass(frozen=True, slots=True)
class RepeatedText:
    """Remove kept blocks whose text an earlier kept block has.

    Runs after the score: of two copies, the one that lies outside the content must not be the one that stays.
    """

    min_words: int = 6

    def __call__(self, page: Page) -> None:
        first: dict[str, int] = {}
        for block in page.blocks:
            if block.removed is None and block.words >= self.min_words:
                earlier = first.setdefault(block.text, block.index)
                if earlier != block.index:
                    block.remove("score", "repeated", f"same text as block {earlier}")
