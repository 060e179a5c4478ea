"""How much of a gold text an extraction has, and how much else: pure functions on texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

_TOKEN = re.compile(r"\w+")
_RESAMPLES = 1000
_SHINGLE = 4
WHOLLY_RIGHT = 0.99
"""Word F1 from which a page counts as wholly right: gold texts differ from their pages in a word here and there."""


class Score(NamedTuple):
    precision: float
    recall: float
    f1: float


class Shingles(NamedTuple):
    """Shares of one page's shingles: in both texts, only in the extraction, only in the gold. They sum to 1."""

    both: float
    extra: float
    lost: float


def f1(precision: float, recall: float) -> float:
    """The harmonic mean, 0 where both are 0.

    >>> f1(0.5, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def tokens(text: str) -> list[str]:
    r"""Runs of ``\w`` as they are written, the tokens of article-extraction-benchmark.

    >>> tokens("Don't stop – 20 °C")
    ['Don', 't', 'stop', '20', 'C']
    """
    return _TOKEN.findall(text)


def without(text: str, lines: Iterable[str]) -> str:
    """The text without lines that count neither way, white space aside; as it is where there are none.

    >>> without("One.\\nBy AP  staff.\\nTwo.", ["By AP staff."]).split()
    ['One.', 'Two.']
    """
    for line in map(" ".join, map(str.split, lines)):
        if line:
            text = " ".join(text.split()).replace(line, " ")
    return text


def overlap_score(both: int, got: int, wanted: int) -> Score:
    """Precision, recall and F1 from three counts; two empty texts agree.

    >>> overlap_score(4, 5, 6)
    Score(precision=0.8, recall=0.6666666666666666, f1=0.7272727272727272)
    >>> overlap_score(0, 0, 0).f1, overlap_score(0, 3, 0).f1
    (1.0, 0.0)
    """
    if not got and not wanted:
        return Score(1.0, 1.0, 1.0)
    precision = both / got if got else 0.0
    recall = both / wanted if wanted else 0.0
    return Score(precision, recall, f1(precision, recall))


def word_score(got: Sequence[str], gold: Sequence[str]) -> Score:
    """By the multiset of words, WCXB's definition on lower-case tokens.

    >>> word_score(["a", "a", "b"], ["a", "b", "c"])
    Score(precision=0.6666666666666666, recall=0.6666666666666666, f1=0.6666666666666666)
    """
    both = sum((Counter(got) & Counter(gold)).values())
    return overlap_score(both, len(got), len(gold))


def shingles(words: Sequence[str], size: int = _SHINGLE) -> Counter[tuple[str, ...]]:
    """All runs of ``size`` words with their counts; a shorter text is one shingle, an empty one none.

    >>> sorted(shingles("a b c d e".split()))
    [('a', 'b', 'c', 'd'), ('b', 'c', 'd', 'e')]
    >>> list(shingles(["a", "b"])), list(shingles([]))
    ([('a', 'b')], [])
    """
    if not words:
        return Counter()
    if len(words) <= size:
        return Counter([tuple(words)])
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))


def shingle_shares(got: Sequence[str], gold: Sequence[str]) -> Shingles:
    """article-extraction-benchmark's counts for one page, divided by their sum so that long pages weigh no more.

    >>> shingle_shares("a b c d e".split(), "a b c d".split())
    Shingles(both=0.5, extra=0.5, lost=0.0)
    """
    ours, theirs = shingles(got), shingles(gold)
    both = sum((ours & theirs).values())
    extra, lost = sum(ours.values()) - both, sum(theirs.values()) - both
    total = both + extra + lost
    return Shingles(both / total, extra / total, lost / total) if total else Shingles(0.0, 0.0, 0.0)


def shingle_score(shares: Shingles) -> Score:
    """The shingle score of one page.

    >>> shingle_score(Shingles(0.5, 0.5, 0.0)).precision
    0.5
    """
    if shares.extra == shares.lost == 0:
        return Score(1.0, 1.0, 1.0)
    precision = shares.both / (shares.both + shares.extra) if shares.both else 0.0
    recall = shares.both / (shares.both + shares.lost) if shares.both else 0.0
    return Score(precision, recall, f1(precision, recall))


def corpus_shingle_score(pages: Iterable[Shingles]) -> Score:
    """article-extraction-benchmark's score of many pages: F1 of the mean precision and the mean recall.

    Its rule for empty texts: a page without an extraction is left out of the mean precision, one without gold out of
    the mean recall.

    >>> corpus_shingle_score([Shingles(0.5, 0.5, 0.0), Shingles(1.0, 0.0, 0.0)])
    Score(precision=0.75, recall=1.0, f1=0.8571428571428571)
    """
    pages = list(pages)
    precision = _mean([shingle_score(page).precision for page in pages if page.both + page.extra > 0])
    recall = _mean([shingle_score(page).recall for page in pages if page.both + page.lost > 0])
    return Score(precision, recall, f1(precision, recall))


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence: one long-integer step per word of ``second`` (Hyyrö 2004).

    >>> lcs_length("Title Some text in the body".split(), "Title Copyright Some text in".split())
    4
    """
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    first, second = first[start:], second[start:]
    places: dict[str, int] = {}
    for position, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << position
    full = (1 << len(first)) - 1
    row = full
    for word in second:
        matches = row & places.get(word, 0)
        if matches:
            row = (row + matches | row - matches) & full
    return start + len(first) - row.bit_count()


def lcs_score(got: Sequence[str], gold: Sequence[str]) -> Score:
    """METHODS E5: by the longest common subsequence of words, so that order counts.

    >>> lcs_score("Title Copyright Some text in".split(), "Title Some text in the body".split())
    Score(precision=0.8, recall=0.6666666666666666, f1=0.7272727272727272)
    """
    return overlap_score(lcs_length(got, gold), len(got), len(gold))


def snippets_found(text: str, snippets: Iterable[str]) -> int:
    r"""How many of the snippets are in the text, white space aside.

    >>> snippets_found("One  two\nthree", ["two three", "four"])
    1
    """
    flat = " ".join(text.split())
    return sum(" ".join(snippet.split()) in flat for snippet in snippets)


def spread(values: Sequence[Sequence[float]], statistic: Callable[[np.ndarray], np.ndarray] | None = None) -> float:
    """Half of a 95 % interval by bootstrap over pages, with a fixed seed.

    ``values`` has a row per page; ``statistic`` turns the resampled column means into the figure of interest and is
    the first column where it is not given.

    >>> spread([[1.0], [1.0]]), 0.1 < spread([[0.0], [1.0]] * 20) < 0.2
    (0.0, True)
    """
    table = np.asarray(values, dtype=float)
    if len(table) < 2:
        return 0.0
    generator = np.random.default_rng(20260101)
    means = np.empty((_RESAMPLES, table.shape[1]))
    for sample in range(_RESAMPLES):
        means[sample] = _column_means(table[generator.integers(0, len(table), len(table))])
    figures = statistic(means) if statistic else means[:, 0]
    return float(1.96 * figures.std(ddof=1))


def _column_means(rows: np.ndarray) -> np.ndarray:
    present = ~np.isnan(rows)
    means: np.ndarray = np.where(present, rows, 0.0).sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    return means


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
