"""Which features weighed most in a block's score: the model's sum, taken apart and put into words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.data import read_lines
from cleancrawl.methods.learned.arranged_weights import CLIP
from cleancrawl.methods.learned.features.page_features import NAMES, feature_sheet
from cleancrawl.methods.learned.features.sheet import Bools, Floats, Ints, Matrix
from cleancrawl.methods.learned.learned_score import SCORES
from cleancrawl.methods.learned.model import Model, candidates
from cleancrawl.methods.learned.perceptron import Perceptron

WORDS_FILE = "feature_words.txt"
_LEFT_OUT = ("-", "-")
_AT_ONCE = 500
"""Blocks at a time: what all features say of each is 4 kB, and a page may have 20,000 blocks."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What features that mean the same added to a block's log-odds of being content."""

    words: str
    amount: float


def feature_weights(page: Page, wanted: Sequence[int] | None = None, most: int = 3) -> list[list[Weight]] | None:
    """For each block the features that weighed most, the weightiest first; None where no model has scored the page.

    ``wanted`` are the numbers of the blocks that are asked about, all where it is missing.
    The amounts are shares in how much a block's log-odds differ from those of an average block (``contributions``).
    Features that mean the same count as one; those of the whole page, which say nothing of a block, are left out.
    """
    scored: tuple[Model, Matrix] | None = page.memo.get(SCORES)
    if scored is None or not page.blocks or scored[0].features != NAMES:
        return None
    model, sheet = scored[0], feature_sheet(page)
    before = sheet.rows
    opinion = model.first.probabilities(before)
    chosen = candidates(opinion)
    again = sheet.look_again(opinion, chosen).rows
    likely = np.zeros(len(page.blocks), dtype=bool)
    likely[chosen] = True
    found: list[list[Weight]] = []
    numbers = np.arange(len(page.blocks)) if wanted is None else np.array(wanted, dtype=np.int64)
    for start in range(0, len(numbers), _AT_ONCE):
        part = numbers[start : start + _AT_ONCE]
        found += _weightiest(*_judged(model, before[:, part], again[:, part], likely[part]), most)
    return found


def _judged(model: Model, before: Matrix, again: Matrix, likely: Bools) -> tuple[Floats, Bools]:
    """What each feature adds to each block's log-odds, and whether its value is above the usual, in the look that
    counted."""
    amounts, above = contributions(model.first, before), standardised(model.first, before) > 0
    if likely.any():
        amounts[:, likely] = both_looks(model.second, again[:, likely], amounts[:, likely])
        above[:, likely] = standardised(model.second, again[:-1, likely]) > 0
    return amounts, above


def standardised(look: Perceptron, rows: Matrix) -> Floats:
    """The features as the perceptron takes them: 0 is their mean in training."""
    size = len(rows)
    values = (rows.astype(np.float64) - look.mean[:size, None]) * look.scale[:size, None]
    return np.clip(values, -CLIP, CLIP)


def contributions(look: Perceptron, rows: Matrix) -> Floats:
    """What each feature (row) adds to the log-odds of each block (column), from an average block on.

    They are integrated gradients (Sundararajan et al., 2017) on the straight way from the mean of all features: exact
    for one hidden layer, whose units are on for a share of the way that their two ends tell. So the sum over all
    features is the difference of the two log-odds.
    """
    values = standardised(look, rows)
    hidden = look.hidden.astype(np.float64)
    start = look.hidden_bias.astype(np.float64)[:, None]
    way = hidden.T @ values
    gained = np.maximum(start + way, 0) - np.maximum(start, 0)
    share = np.divide(gained, way, out=(start > 0) * np.ones_like(way), where=np.abs(way) > 1e-9)
    found: Floats = values * (hidden @ (look.output.astype(np.float64)[:, None] * share))
    return found


def both_looks(second: Perceptron, rows: Matrix, first: Floats) -> Floats:
    """What features add over both looks: the first opinion is a feature of the second look, and made of the first's."""
    found = contributions(second, rows)
    opinion = found[-1]
    total = first.sum(axis=0)
    # The opinion's part goes to what it was made of, as the chain rule has it.
    passed_on = np.divide(opinion, total, out=np.zeros_like(opinion), where=np.abs(total) > 0.1)
    whole: Floats = found[:-1] + first * np.clip(passed_on, 0, 1)
    return whole


def _weightiest(amounts: Floats, above: Bools, most: int) -> list[list[Weight]]:
    """Features that mean the same are summed up; the weightiest of them says which of two words fit."""
    meanings, members = _meanings()
    sums = np.stack([amounts[rows].sum(axis=0) for rows in members])
    sums[meanings.index(_LEFT_OUT)] = 0
    order = np.argsort(-np.abs(sums), axis=0)[:most]
    found: list[list[Weight]] = [[] for _ in range(amounts.shape[1])]
    for meaning in np.unique(order).tolist():
        rows = members[meaning]
        lead = rows[np.argmax(amounts[rows] * np.sign(sums[meaning]), axis=0)]
        for block in np.flatnonzero((order == meaning).any(axis=0)).tolist():
            words = meanings[meaning][0 if above[lead[block], block] else 1]
            found[block].append(Weight(words, float(sums[meaning, block])))
    for weights in found:
        weights.sort(key=lambda weight: -abs(weight.amount))
    return found


@cache
def _meanings() -> tuple[tuple[tuple[str, str], ...], tuple[Ints, ...]]:
    """The words for high and for low values of each meaning, and the numbers of the features that have it."""
    found: dict[tuple[str, str], list[int]] = {}
    for number, name in enumerate(NAMES):
        found.setdefault(in_words(name), []).append(number)
    return tuple(found), tuple(np.array(numbers) for numbers in found.values())


def in_words(name: str) -> tuple[str, str]:
    """What a feature means where its value is above the usual, and where it is below.

    >>> in_words("links within (6, 6)"), in_words("within comment")[0]
    (('many links around it', 'few links around it'), 'a class or id says “comment”')
    """
    for pattern, above, below in _patterns():
        if match := pattern.fullmatch(name):
            return above.format(*match.groups()), below.format(*match.groups())
    return name, name


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    found = []
    for line in read_lines(WORDS_FILE):
        pattern, _, said = line.partition(" = ")
        above, _, below = said.partition(" / ")
        found.append((re.compile(pattern), above, below))
    return tuple(found)
