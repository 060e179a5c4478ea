"""METHODS E3–E4: text-to-tag ratio, anchor-text ratio and title keywords of each line-block, against thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import is_unspaced, words
from cleancrawl.methods.line_block.line_blocks import LineLayout

_MAX_KEYWORDS = 50
"""A title of thousands of words must not cost thousands of searches."""


def title_keywords(title: str, language: str | None = None, *, with_stop_words: bool = False) -> frozenset[str]:
    """The lower-case words of a title without stop words (E3).

    >>> sorted(title_keywords("Bladder cancer: Exciting drug break"))
    ['bladder', 'break', 'cancer', 'drug', 'exciting']
    """
    found = frozenset(words(title.lower()))
    return found if with_stop_words else found - stop_words(language)


@dataclass(frozen=True, slots=True)
class LineRatios:
    """Keep a line-block by its ratios; reads the layout of ``LineBlocks``."""

    needs: ClassVar[type[LineLayout]] = LineLayout

    text_to_tag: float = 30.0
    anchor_to_text: float = 0.2
    title_words: float = 2.0
    thresholds: Literal["fixed", "deviation"] = "fixed"
    """``fixed`` takes the three values above; ``deviation`` takes λ times each feature's standard deviation."""
    factor: float = 1.0
    """λ of E4."""
    title: Literal["rescue", "required"] = "rescue"
    """``required`` is the letter: every kept block has title words. ``rescue`` keeps thin blocks that have them."""
    title_stop_words: bool = False
    """Whether stop words of the title are keywords too (the letter)."""

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(LineLayout)
        if not page.blocks:
            return
        ratio, anchors = line_ratios(layout)
        keywords = title_keywords(layout.title, with_stop_words=self.title_stop_words)
        titles = count_keywords([block.text for block in page.blocks], keywords)
        low_ratio, high_anchor, low_title = self._limits(ratio, anchors, titles)
        dense, linked, titled = ratio > low_ratio, anchors >= high_anchor, titles >= low_title
        kept = (dense & ~linked) | titled if self.title == "rescue" else dense & ~linked & titled
        for index, block in enumerate(page.blocks):
            block.score = float(ratio[index] / (ratio[index] + low_ratio)) if ratio[index] else 0.0
            if not kept[index]:
                reason = f"TTR {ratio[index]:.1f}, ATTR {anchors[index]:.2f}, TKD {titles[index]:.0f}"
                block.remove("score", "line-ratios", reason)

    def _limits(self, *features: np.ndarray) -> Sequence[float]:
        if self.thresholds == "fixed":
            return self.text_to_tag, self.anchor_to_text, self.title_words
        ratio, anchors, titles = (self.factor * float(feature.std()) for feature in features)
        # A feature that does not vary has σ = 0: no block would be below it, and every block would count as titled.
        return ratio, anchors or self.anchor_to_text, max(titles, 1.0)


def count_keywords(texts: Sequence[str], keywords: Iterable[str]) -> np.ndarray:
    """How often keywords occur in each text as whole words (TKD).

    >>> count_keywords(["Cancer drug, a drug", "Drugs", ""], ["cancer", "drug"]).tolist()
    [3.0, 0.0, 0.0]
    """
    # One search per keyword over all texts: a tenth of the time that splitting every text into words takes.
    joined, counts = "\n".join(texts).lower() + "\n", np.zeros(len(texts))
    ends = np.cumsum([len(text.lower()) + 1 for text in texts])
    for keyword in sorted(keywords)[:_MAX_KEYWORDS]:
        spaced = not is_unspaced(keyword)
        found, position = [], joined.find(keyword)
        while position >= 0:
            after = position + len(keyword)
            if not (spaced and (joined[after].isalnum() or (position and joined[position - 1].isalnum()))):
                found.append(position)
            position = joined.find(keyword, after)
        np.add.at(counts, np.searchsorted(ends, found, side="right"), 1)
    return counts


def line_ratios(layout: LineLayout) -> tuple[np.ndarray, np.ndarray]:
    """TTR and ATTR of each block; no tags count as one tag, no text as no anchor text."""
    text = np.array(layout.text_length, float)
    return text / np.maximum(layout.tags, 1), np.array(layout.anchor_length, float) / np.maximum(text, 1)
