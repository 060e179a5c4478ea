"""One extractor's texts against the gold: scores per page, and their summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import (
    WHOLLY_RIGHT,
    Score,
    Shingles,
    corpus_shingle_score,
    lcs_score,
    shingle_score,
    shingle_shares,
    snippets_found,
    spread,
    tokens,
    word_score,
)
from cleancrawl.lab.bench.optional_lines import without_optional


@dataclass(frozen=True, slots=True)
class PageScore:
    """What one text is worth. The text measures are None where the set has no gold text."""

    word: Score | None = None
    shingles: Shingles | None = None
    lcs: Score | None = None
    found: int = 0
    wanted: int = 0
    avoided: int = 0
    unwanted: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """The means over pages. ``texts`` and the snippet counts say how many pages and snippets are behind them."""

    pages: int
    texts: int
    word: Score
    word_spread: float
    shingle: Score
    """article-extraction-benchmark's definition: F1 of the mean precision and the mean recall."""
    shingle_spread: float
    shingle_mean: float
    """The mean of the pages' own shingle F1."""
    lcs: Score
    right: float
    """Share of pages that are wholly right."""
    wanted: int
    found: float
    """Share of the must-have snippets that were found."""
    unwanted: int
    avoided: float
    """Share of the must-not-have snippets that were avoided."""


def score_page(text: str, page: GoldPage, *, lcs: bool = True) -> PageScore:
    """Score one text; the longest common subsequence costs most and can be left out."""
    snippets = (
        snippets_found(text, page.must_have),
        len(page.must_have),
        len(page.must_not_have) - snippets_found(text, page.must_not_have),
        len(page.must_not_have),
    )
    if page.text is None:
        return PageScore(None, None, None, *snippets)
    text = without_optional(text, page.text, page.optional)
    got, gold = tokens(text), tokens(page.text)
    got_lower, gold_lower = tokens(text.lower()), tokens(page.text.lower())
    return PageScore(
        word_score(got_lower, gold_lower),
        shingle_shares(got, gold),
        lcs_score(got_lower, gold_lower) if lcs else None,
        *snippets,
    )


def summarise(scores: Iterable[PageScore], *, spreads: bool = True) -> Summary:
    """The means over pages; figures that no page has are 0, as are the spreads where nobody wants them."""
    scores = list(scores)
    word = [score.word for score in scores if score.word is not None]
    shares = [score.shingles for score in scores if score.shingles is not None]
    wanted, unwanted = sum(score.wanted for score in scores), sum(score.unwanted for score in scores)
    return Summary(
        pages=len(scores),
        texts=len(word),
        word=_mean_score(word),
        word_spread=spread([[score.f1] for score in word]) if spreads else 0.0,
        shingle=corpus_shingle_score(shares),
        shingle_spread=_shingle_spread(shares) if spreads else 0.0,
        shingle_mean=_mean([shingle_score(page).f1 for page in shares]),
        lcs=_mean_score([score.lcs for score in scores if score.lcs is not None]),
        right=_mean([float(score.f1 >= WHOLLY_RIGHT) for score in word]),
        wanted=wanted,
        found=sum(score.found for score in scores) / wanted if wanted else 0.0,
        unwanted=unwanted,
        avoided=sum(score.avoided for score in scores) / unwanted if unwanted else 0.0,
    )


def evaluate(texts: Mapping[str, str], pages: Sequence[GoldPage], *, lcs: bool = False) -> Summary:
    """Summarise texts given by ``GoldPage.key``; a page without a text counts as an empty extraction."""
    return summarise(score_page(texts.get(page.key, ""), page, lcs=lcs) for page in pages)


def _shingle_spread(pages: Sequence[Shingles]) -> float:
    rows = []
    for page in pages:
        score = shingle_score(page)
        rows.append(
            [
                score.precision if page.both + page.extra > 0 else np.nan,
                score.recall if page.both + page.lost > 0 else np.nan,
            ]
        )
    return spread(rows, _harmonic)


def _harmonic(means: np.ndarray) -> np.ndarray:
    total = means.sum(axis=1)
    figures: np.ndarray = 2 * means[:, 0] * means[:, 1] / np.where(total > 0, total, 1.0)
    return figures


def _mean_score(scores: Sequence[Score]) -> Score:
    return Score(*(_mean([score[part] for score in scores]) for part in range(3)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
