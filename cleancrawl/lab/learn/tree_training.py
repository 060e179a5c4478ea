"""Training of the decision tree of ``shallow-features`` (METHODS B5), and its cross-validation by domain.

C4.5-style: splits by information gain, instances weighted by their words, every leaf of at least ``min_leaf`` words
(the paper asks for 1,000; 3,000 measure the same with half the leaves). ``cleancrawl train --tree`` is the command.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Page
from cleancrawl.errors import ConfigError, MissingExtra
from cleancrawl.lab.bench.datasets import GoldPage, load_sets
from cleancrawl.lab.bench.evaluate import Summary, score_page, summarise
from cleancrawl.lab.learn.examples import FOLDS, fold_of
from cleancrawl.lab.learn.labels import align
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.block_features import NAMES, Table, shallow_features
from cleancrawl.methods.shallow_features.trained_tree import FORMAT, DecisionTree

MIN_LEAF = 3000
_CONTENT = 0.5

Report = Callable[[str], None]


@dataclass(slots=True, eq=False)
class Labelled:
    """A page cut and measured; ``content`` says which blocks the gold text holds."""

    gold: GoldPage
    page: Page
    table: Table
    content: NDArray[np.bool_]
    words: NDArray[np.float64]

    @property
    def fold(self) -> int:
        return fold_of(self.gold.domain)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The data file of the tree that was trained on all pages, and what trees are worth on sites they have not seen."""

    model: dict[str, Any]
    summary: Summary


def train_tree(
    directory: str | Path,
    *,
    sets: Sequence[str] = (),
    types: Sequence[str] = ("article",),
    min_leaf: int = MIN_LEAF,
    limit: int | None = None,
    report: Report = lambda line: None,
) -> Outcome:
    """Raises ``ConfigError`` where there is too little to learn from."""
    chosen = [
        (dataset.name, page)
        for dataset in load_sets(directory, sets, limit)
        for page in dataset.pages
        if page.text is not None and (page.page_type in types or page.page_type is None)
    ]
    pages = [labelled for _, page in chosen if (labelled := measure(page)) is not None]
    if len({page.fold for page in pages}) < 2 or not any(page.content.any() for page in pages):
        raise ConfigError(f"too few labelled pages of different sites in {directory} to train on")
    report(f"{len(pages)} pages, {sum(len(page.table) for page in pages)} blocks")
    scores = []
    for fold in sorted({page.fold for page in pages}):
        tree = DecisionTree.load(fit([page for page in pages if page.fold != fold], min_leaf))
        held_out = [page for page in pages if page.fold == fold]
        scores += [score_page(kept_text(page, tree), page.gold, lcs=False) for page in held_out]
        report(f"fold {fold + 1} of {FOLDS}: {len(held_out)} pages held out, {(tree.feature < 0).sum()} leaves")
    summary = summarise(scores)
    provenance = {
        "sets": sorted({name for name, _ in chosen}),
        "pages": len(pages),
        "types": list(types),
        "min_leaf": min_leaf,
        "cross-validated": {"word F1": round(summary.word.f1, 4), "shingle F1": round(summary.shingle.f1, 4)},
    }
    return Outcome({"provenance": provenance, **fit(pages, min_leaf)}, summary)


def measure(gold: GoldPage) -> Labelled | None:
    """None where the page has no block."""
    page = Page(gold.html(), gold.url)
    AtomicBlocks()(page)
    page.html = ""
    if not page.blocks:
        return None
    content = np.asarray(align(page.blocks, gold.text or "")) >= _CONTENT
    words = np.array([max(block.words, 1) for block in page.blocks], dtype=float)
    return Labelled(gold, page, shallow_features(page), content, words)


def kept_text(labelled: Labelled, tree: DecisionTree) -> str:
    shares = tree.predict(labelled.table)
    blocks = zip(labelled.page.blocks, shares, strict=True)
    return "\n".join(block.text for block, share in blocks if block.kept and share >= _CONTENT)


def fit(pages: Sequence[Labelled], min_leaf: int, columns: Sequence[int] = range(len(NAMES))) -> dict[str, Any]:
    """The nodes of a tree, with the features that it asks about, out of these columns."""
    try:
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise MissingExtra("scikit-learn", "train") from None
    weights = np.concatenate([page.words for page in pages])
    classifier = DecisionTreeClassifier(
        criterion="entropy", min_weight_fraction_leaf=min(min_leaf / weights.sum(), 0.5), random_state=0
    )
    table = np.concatenate([page.table[:, columns] for page in pages])
    nodes = classifier.fit(table, np.concatenate([page.content for page in pages]), sample_weight=weights).tree_
    inner = nodes.children_left >= 0
    asked = sorted({int(column) for column in nodes.feature[inner]})
    position = {column: place for place, column in enumerate(asked)}
    last = list(classifier.classes_).index(True)
    shares = nodes.value[:, 0, last] / nodes.value[:, 0, :].sum(axis=1)
    return {
        "format": FORMAT,
        "features": [NAMES[columns[column]] for column in asked],
        "feature": [position[int(column)] if split else -1 for column, split in zip(nodes.feature, inner, strict=True)],
        "threshold": [
            round(float(value), 6) if split else 0 for value, split in zip(nodes.threshold, inner, strict=True)
        ],
        "left": [max(int(child), 0) for child in nodes.children_left],
        "right": [max(int(child), 0) for child in nodes.children_right],
        "content": [round(float(share), 4) for share in shares],
    }
