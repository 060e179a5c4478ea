"""METHODS A8: single measures that the main paper compared its block score with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import terms
from cleancrawl.methods.shallow_features.block_weight import title_relevancy

STAGE = "score"


@dataclass(frozen=True, slots=True)
class KeywordRedundancy:
    """Keep blocks that repeat their words: 1 − distinct/words."""

    threshold: float = 0.01
    """The paper has none. Any repetition counts: every larger threshold tried loses more than it cleans."""

    def __call__(self, page: Page) -> None:
        for block in page.kept:
            block.score = redundancy(block)
            if block.score < self.threshold:
                block.remove(STAGE, "keyword-redundancy", f"{block.score:.2f}")


@dataclass(frozen=True, slots=True)
class LinkWords:
    """Keep blocks with few link words among their words."""

    threshold: float = 0.3

    def __call__(self, page: Page) -> None:
        for block in page.kept:
            share = link_share(block)
            block.score = 1 - share
            if share > self.threshold:
                block.remove(STAGE, "link-words", f"{share:.2f}")


@dataclass(frozen=True, slots=True)
class TitleWords:
    """Keep blocks with title keywords, by METHODS B7's Tk."""

    threshold: float = 0.01
    """The paper has none; any title keyword counts."""

    def __call__(self, page: Page) -> None:
        stops = stop_words(page.language)
        title = set(terms(page.title, stops))
        for block in page.kept:
            block.score = title_relevancy(Counter(terms(block.text, stops)), title)
            if block.score < self.threshold:
                block.remove(STAGE, "title-words", f"{block.score:.2f}")


@dataclass(frozen=True, slots=True)
class BlockImportance:
    """The mean of all three, links counted against a block: what the compared frameworks call a block's importance."""

    threshold: float = 0.3

    def __call__(self, page: Page) -> None:
        stops = stop_words(page.language)
        title = set(terms(page.title, stops))
        for block in page.kept:
            relevancy = title_relevancy(Counter(terms(block.text, stops)), title)
            block.score = (redundancy(block) + 1 - link_share(block) + relevancy) / 3
            if block.score < self.threshold:
                block.remove(STAGE, "block-importance", f"{block.score:.2f}")


def redundancy(block: Block) -> float:
    """1 − distinct/words."""
    found = block.text.lower().split()
    return 1 - len(set(found)) / len(found) if found else 0.0


def link_share(block: Block) -> float:
    return min(block.link_words / max(block.words, 1), 1.0)
