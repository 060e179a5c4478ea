"""Labelled pages as training examples: cut, measured, labelled and weighted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh64_intdigest

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.learn.labels import align, snippet_labels
from cleancrawl.methods.learned.features.page_features import feature_sheet
from cleancrawl.methods.learned.features.sheet import Matrix

FOLDS = 5


@dataclass(slots=True, eq=False)
class Example:
    """One page: a row of features, a label and a weight per block. ``weights`` is 0 where the label is unknown."""

    gold: GoldPage
    page: Page
    table: Matrix
    labels: NDArray[np.float32]
    weights: NDArray[np.float32]

    @property
    def is_article(self) -> bool:
        return self.gold.page_type in (None, "article")

    @property
    def fold(self) -> int:
        return fold_of(self.gold.domain)


@dataclass(frozen=True, slots=True)
class Weighting:
    """What an error on a block costs: about the share of the page's F1 that it costs."""

    extra_words: float = 3.0
    """Added to each block's words, so that headings and captions count."""
    least_gold: float = 80.0
    """Pages with less gold text weigh as if they had this many words."""
    most: float = 0.5
    """No block weighs more than this share of a page."""
    snippet: float = 0.06
    """The weight of a block that is known by a snippet only."""
    other_types: float = 0.15
    """Pages that are no articles weigh this much: they steady the model, but must not sway it."""


def fold_of(domain: str) -> int:
    """The fold of a site: the same on every machine, whatever else is in the set.

    >>> fold_of("example.org"), fold_of("news.example")
    (0, 4)
    """
    return xxh64_intdigest(domain.encode()) % FOLDS


def make_example(gold: GoldPage, segment: Sequence[Stage], weighting: Weighting) -> Example | None:
    """None where the page has no block."""
    page = _cut(gold, segment)
    if not page.blocks:
        return None
    table = np.ascontiguousarray(feature_sheet(page).rows.T)
    if gold.text is None:
        labels, known = snippet_labels(page.blocks, gold.must_have, gold.must_not_have)
        return Example(gold, page, table, labels, np.where(known, weighting.snippet, 0).astype(np.float32))
    labels = align(page.blocks, gold.text)
    example = Example(gold, page, table, labels, word_weights(page, labels, weighting))
    if gold.optional:
        example.weights[(align(page.blocks, "\n".join(gold.optional)) >= 0.5) & (labels < 0.5)] = 0
    if not example.is_article:
        example.weights *= np.float32(weighting.other_types)
    return example


def _cut(gold: GoldPage, segment: Sequence[Stage]) -> Page:
    """The page without its source, which all pages of a set together would fill the memory with."""
    page = Page(gold.html(), gold.url)
    for stage in segment:
        stage(page)
    light = Page("", gold.url, page.encoding)
    light.blocks, light.layout, light.head = page.blocks, page.layout, page.head
    return light


def word_weights(page: Page, labels: NDArray[np.float32], weighting: Weighting) -> NDArray[np.float32]:
    """Each block's share of the words that the page should give."""
    words = np.array([block.words for block in page.blocks], dtype=np.float32)
    total = max(float((words * labels).sum()), weighting.least_gold)
    weights: NDArray[np.float32] = np.minimum((words + weighting.extra_words) / total, weighting.most)
    return weights


def stack(examples: Iterable[Example]) -> tuple[Matrix, NDArray[np.float32], NDArray[np.float32]]:
    """All rows with a known label.

    Of four short links outside the content three are left out, and the fourth counts for them: they are half of all
    blocks and all alike, so training takes half the time with the same result.
    """
    tables, labels, weights = [], [], []
    for example in examples:
        words = np.array([block.words for block in example.page.blocks])
        linked = np.array([block.link_words >= block.words for block in example.page.blocks])
        easy = (example.labels < 0.5) & linked & (words <= 6)
        chosen = (example.weights > 0) & (~easy | (np.arange(len(words)) % 4 == 0))
        tables.append(example.table[chosen])
        labels.append(example.labels[chosen])
        weights.append(np.where(easy, 4 * example.weights, example.weights)[chosen])
    return np.concatenate(tables), np.concatenate(labels), np.concatenate(weights)
