"""Near-duplicate pairs made from real blocks, and how well each detector knows them (METHODS A8)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from cleancrawl.core.fingerprints.block_prints import MIN_TERMS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import terms
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import f1
from cleancrawl.methods.baselines.duplicate_detectors import Detector, Jaccard, MinHash, Simhash

DETECTORS: dict[str, tuple[Detector, str]] = {
    "Jaccard": (Jaccard(), "81.67"),
    "MinHash": (MinHash(), "84.39"),
    "simhash (frequency)": (Simhash(), "85.67"),
    "proximity simhash": (Simhash(window=None), "88.28"),
}
"""With the paper's own average: the share of its pages without a wrong verdict."""
EDITS = (0.01, 0.05, 0.1, 0.2, 0.3)
"""Shares of words that are replaced, dropped or added; at least one word is."""
_MIN_WORDS, _MAX_WORDS, _BLOCKS = 20, 400, 1500


@dataclass(frozen=True, slots=True)
class Pair:
    first: Sequence[str]
    second: Sequence[str]
    edit: float | None
    """The share of words that differ; None for two different blocks."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A detector at its best threshold."""

    threshold: float
    precision: float
    recall: float
    by_edit: tuple[float, ...]
    """Recall for each of ``EDITS``."""
    milliseconds: float
    """For the sketches and comparisons of a thousand pairs."""

    @property
    def f1(self) -> float:
        return f1(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class TextPair:
    """A pair before it is cut into terms."""

    first: str
    second: str
    edit: float | None
    stops: tuple[frozenset[str], frozenset[str]]


def make_text_pairs(pages: Sequence[GoldPage], seed: int = 20260101) -> Iterator[TextPair]:
    """As many different pairs as edited ones; half of the different ones are neighbours on their page."""
    chance = Random(seed)
    blocks = list(_blocks(pages, chance))
    for index, (page, text, stops) in enumerate(blocks):
        edit = EDITS[index % len(EDITS)]
        edited = edit_words(text, edit, chance.choice(blocks)[1].split(), chance)
        yield TextPair(text, edited, edit, (stops, stops))
        beside = blocks[index - 1] if index % 2 and blocks[index - 1][0] == page else chance.choice(blocks)
        if beside[1] != text:
            yield TextPair(text, beside[1], None, (stops, beside[2]))


def make_pairs(pages: Sequence[GoldPage], seed: int = 20260101) -> list[Pair]:
    """The terms of all pairs that have enough of them."""
    pairs = [
        Pair(terms(pair.first, pair.stops[0]), terms(pair.second, pair.stops[1]), pair.edit)
        for pair in make_text_pairs(pages, seed)
    ]
    return [pair for pair in pairs if min(len(pair.first), len(pair.second)) >= MIN_TERMS]


def edit_words(text: str, share: float, others: Sequence[str], chance: Random) -> str:
    """A share of the words, in equal parts, replaced by words of another block, dropped, or followed by one of them.

    >>> edit_words("a b c", 0.1, ["x"], Random(1))
    'x b c'
    """
    found = text.split()
    for number, index in enumerate(chance.sample(range(len(found)), max(1, round(share * len(found))))):
        other = chance.choice(others)
        found[index] = (other, "", f"{found[index]} {other}")[(number + len(found)) % 3]
    return " ".join(found)


def _blocks(pages: Sequence[GoldPage], chance: Random) -> Iterator[tuple[int, str, frozenset[str]]]:
    """Up to ``_BLOCKS`` blocks with enough words, two neighbours from a page as a rule."""
    chosen = chance.sample(range(len(pages)), min(len(pages), _BLOCKS // 2))
    for number in sorted(chosen):
        page = Page(pages[number].html(), pages[number].url)
        TextBlocks()(page)
        wide = [block.text for block in page.blocks if _MIN_WORDS <= block.words <= _MAX_WORDS]
        start = chance.randrange(max(len(wide) - 1, 1))
        for text in wide[start : start + 2]:
            yield number, text, stop_words(page.language)


def judge(detector: Detector, pairs: Sequence[Pair]) -> Verdict:
    """At the threshold with the best F1 on these pairs."""
    started = time.process_time()
    first = detector.sketches([pair.first for pair in pairs])
    second = detector.sketches([pair.second for pair in pairs])
    found = np.array([detector.similarity(a, b) for a, b in zip(first, second, strict=True)])
    elapsed = time.process_time() - started
    edits = np.array([np.nan if pair.edit is None else pair.edit for pair in pairs])
    same = ~np.isnan(edits)
    thresholds = np.unique(found[same]) if same.any() else np.array([1.0])
    best = max(thresholds.tolist(), key=lambda threshold: (_figures(found, same, threshold)[2], threshold))
    precision, recall, _ = _figures(found, same, best)
    by_edit = tuple(float((found[edits == edit] >= best).mean()) if (edits == edit).any() else 0.0 for edit in EDITS)
    return Verdict(best, precision, recall, by_edit, elapsed / max(len(pairs), 1) * 1e6)


def _figures(found: np.ndarray, same: np.ndarray, threshold: float) -> tuple[float, float, float]:
    marked = found >= threshold
    right = float((marked & same).sum())
    precision, recall = right / max(float(marked.sum()), 1.0), right / max(float(same.sum()), 1.0)
    return precision, recall, f1(precision, recall)
