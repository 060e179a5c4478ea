"""Cross-validation by domain: what a model is worth on sites that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.recipe import Recipe
from cleancrawl.lab.bench.evaluate import Summary, score_page, summarise
from cleancrawl.lab.learn.distil import second_table
from cleancrawl.lab.learn.examples import FOLDS, Example
from cleancrawl.methods.learned.features.page_features import feature_sheet
from cleancrawl.methods.learned.features.sheet import Matrix
from cleancrawl.methods.learned.learned_score import LearnedScore, mark, page_threshold
from cleancrawl.methods.learned.model import Model, candidates

Probabilities = dict[str, NDArray[np.float32]]
THRESHOLDS = tuple(round(0.5 + 0.01 * step, 2) for step in range(21))
PRECISION = 0.95
"""What the words that are kept must reach; beyond it a lost sentence is worse than one that should not be there."""


Fit = Callable[[int], Model]
"""Trains a model on all examples but those of a fold."""


def out_of_fold(
    examples: Sequence[Example], fit: Fit, report: Callable[[str], None] = lambda line: None
) -> tuple[Probabilities, list[Model]]:
    """The probabilities of every page's blocks by the model that was trained without its site, and the models."""
    found: Probabilities = {}
    models = []
    for fold in range(FOLDS):
        model = fit(fold)
        models.append(model)
        held_out = [example for example in examples if example.fold == fold]
        for example in held_out:
            found[example.gold.key] = model.probabilities(feature_sheet(example.page))
        report(f"fold {fold + 1} of {FOLDS}: {len(held_out)} pages held out")
    return found, models


def clean_text(example: Example, probabilities: Matrix, threshold: float, recipe: Recipe) -> str:
    """The text that a recipe would give with these probabilities in place of its model's."""
    page = example.page
    for block in page.blocks:
        block.removed = block.score = None
    recipe.run_phase("primary", page)
    recipe.run_phase("secondary", page)
    for stage in recipe.score:
        if isinstance(stage, LearnedScore):
            mark(page, probabilities, stage.bar(page, probabilities, threshold))
        else:
            stage(page)
    return "\n".join(block.text for block in page.kept)


def clean_texts(
    examples: Sequence[Example], found: Mapping[str, Matrix], threshold: float, recipe: Recipe
) -> dict[str, str]:
    """The texts of all pages, by key."""
    return {example.gold.key: clean_text(example, found[example.gold.key], threshold, recipe) for example in examples}


def block_f1(example: Example, probabilities: Matrix, threshold: float) -> float:
    """Word F1 by the labels of the blocks: close to that of the text and a hundred times cheaper."""
    words = np.array([block.words for block in example.page.blocks], dtype=np.float64)
    held = words * example.labels
    kept = probabilities >= page_threshold(example.page, probabilities, threshold)
    both = held[kept].sum()
    return float(2 * both / max(words[kept].sum() + held.sum(), 1))


def best_threshold(examples: Sequence[Example], found: Mapping[str, Matrix], recipe: Recipe) -> float:
    """The lowest threshold with enough precision on gold pages, articles where there are any."""
    golden = [example for example in examples if example.gold.text is not None]
    golden = [example for example in golden if example.is_article] or golden
    for threshold in THRESHOLDS:
        texts = [clean_text(example, found[example.gold.key], threshold, recipe) for example in golden]
        scores = [score_page(text, page.gold, lcs=False) for text, page in zip(texts, golden, strict=True)]
        if summarise(scores).word.precision >= PRECISION:
            return threshold
    return THRESHOLDS[-1] if golden else THRESHOLDS[0]


def summary(examples: Sequence[Example], texts: Mapping[str, str]) -> dict[str, Summary]:
    """The measures of the benchmark, by set."""
    by_set: dict[str, list[Example]] = {}
    for example in examples:
        name = example.gold.set if example.is_article else f"{example.gold.set}, other types"
        by_set.setdefault(name, []).append(example)
    return {
        name: summarise([score_page(texts[example.gold.key], example.gold, lcs=False) for example in listed])
        for name, listed in by_set.items()
    }


def importance(
    examples: Sequence[Example], model: Model, fold: int, groups: Mapping[str, Sequence[int]], threshold: float
) -> dict[str, float]:
    """How much block F1 on a held-out fold falls when a group's columns are shuffled over all blocks of either look."""
    held_out = [example for example in examples if example.fold == fold and example.gold.text is not None]
    held_out = [example for example in held_out if example.is_article] or held_out
    firsts = [example.table for example in held_out]
    opinions = [model.first.probabilities(np.ascontiguousarray(table.T)) for table in firsts]
    likely = [candidates(opinion) for opinion in opinions]
    seconds = [second_table(example, opinion) for example, opinion in zip(held_out, opinions, strict=True)]

    def score(first: Sequence[Matrix], second: Sequence[Matrix]) -> float:
        """The second look at shuffled rows, and the first at what it does not see."""
        scores = []
        for example, chosen, one, two in zip(held_out, likely, first, second, strict=True):
            found = model.first.probabilities(np.ascontiguousarray(one.T))
            found[chosen] = model.second.probabilities(np.ascontiguousarray(two.T))
            scores.append(block_f1(example, found, threshold))
        return float(np.mean(scores))

    whole = score(firsts, seconds)
    return dict(
        sorted(
            (
                (name, whole - score(_shuffled(firsts, columns), _shuffled(seconds, columns)))
                for name, columns in groups.items()
            ),
            key=lambda item: -item[1],
        )
    )


def _shuffled(tables: Sequence[Matrix], columns: Sequence[int]) -> list[Matrix]:
    """The tables with some columns shuffled over all their rows."""
    table = np.concatenate(tables)
    order = np.random.default_rng(0).permutation(len(table))
    table[:, columns] = table[order][:, columns]
    return np.split(table, np.cumsum([len(part) for part in tables])[:-1])
