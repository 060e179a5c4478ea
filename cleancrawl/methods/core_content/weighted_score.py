"""METHODS A7: the weighted block score.

It falls as a block grows, so that the one long DIV of a news article is thrown away: see docs/methods/core-content.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import terms
from cleancrawl.methods.core_content.div_td_blocks import DivTdLayout

STAGE = "score"


class Counts(NamedTuple):
    """Words by class: occurrences in a block, or distinct words of a page."""

    title: int
    link: int
    content: int


class TermClasses(NamedTuple):
    """The occurrences of a block's terms, each in exactly one class."""

    title: list[str]
    link: list[str]
    content: list[str]

    def counts(self) -> Counts:
        return Counts(len(self.title), len(self.link), len(self.content))


def block_score(block: Counts, page: Counts, weights: tuple[float, float, float] = (0.3, 0.3, 0.4)) -> float:
    """1 − (0.3·Tw + 0.3·Lw + 0.4·Cw); an empty denominator gives 0.

    >>> round(block_score(Counts(7, 0, 39), Counts(12, 9, 227)), 3)
    0.756
    """
    parts = (weight * count / total for weight, count, total in zip(weights, block, page, strict=True) if total)
    return 1 - sum(parts)


def classify(link_text: str, plain_text: str, title: frozenset[str], stop: frozenset[str]) -> TermClasses:
    """Title before link before content.

    >>> classify("Read more", "Crawling the page", frozenset({"crawl"}), frozenset({"the"}))
    TermClasses(title=['crawl'], link=['read', 'more'], content=['page'])
    """
    linked, plain = terms(link_text, stop), terms(plain_text, stop)
    return TermClasses(
        [term for term in (*linked, *plain) if term in title],
        [term for term in linked if term not in title],
        [term for term in plain if term not in title],
    )


@dataclass(frozen=True, slots=True)
class WeightedScore:
    """Scores the distinct blocks that remain and keeps those above distinct blocks / all blocks."""

    weights: tuple[float, float, float] = (0.3, 0.3, 0.4)
    """Of title, link and content words."""
    denominator: Literal["page", "sum-of-blocks"] = "page"
    """Of the content words: distinct in the page (Eq. 7), or the sum over the blocks (what the paper's table has)."""
    words_of: Literal["remaining", "page"] = "remaining"
    """Whose link and content words are below the line: those of the blocks that remain, as in the paper's table, or of
    all, as its listing has it, which reads the whole page."""
    all_blocks: Literal["with-text", "elements"] = "with-text"
    """What the threshold counts as all blocks: those with text of their own, or every DIV and TD (the letter)."""

    def __call__(self, page: Page) -> None:
        blocks = page.kept
        if not blocks:
            return
        stop = stop_words(page.language)
        title = frozenset(terms(page.title, stop))
        classes = [classify(*_texts(page, block), title, stop) for block in blocks]
        counted = classes
        if self.words_of == "page":
            counted = [classify(*_texts(page, block), title, stop) for block in page.blocks]
        totals = Counts(
            len(title),
            _distinct(found.link for found in counted),
            _DENOMINATORS[self.denominator](found.content for found in counted),
        )
        threshold = len(blocks) / self._all_blocks(page)
        for block, found in zip(blocks, classes, strict=True):
            block.score = block_score(found.counts(), totals, self.weights)
            if block.score <= threshold:
                block.remove(STAGE, "low-score", f"{block.score:.3f}, threshold {threshold:.3f}")

    def _all_blocks(self, page: Page) -> int:
        if self.all_blocks == "elements" and isinstance(page.layout, DivTdLayout):
            # Loose text is a block without an element of its own.
            return max(page.layout.elements, len(page.blocks))
        return len(page.blocks)


def _texts(page: Page, block: Block) -> tuple[str, str]:
    """What lies inside links and what does not; other segmentations only tell whether all of it does."""
    if isinstance(page.layout, DivTdLayout):
        return page.layout.link_texts[block.index], page.layout.plain_texts[block.index]
    return (block.text, "") if block.link_words >= block.words else ("", block.text)


def _distinct(blocks: Iterable[Sequence[str]]) -> int:
    return len(set().union(*blocks))


def _sum_of_blocks(blocks: Iterable[Sequence[str]]) -> int:
    return sum(len(set(terms)) for terms in blocks)


_DENOMINATORS: dict[str, Callable[[Iterable[Sequence[str]]], int]] = {
    "page": _distinct,
    "sum-of-blocks": _sum_of_blocks,
}
