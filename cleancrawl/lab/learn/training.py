"""From labelled pages to a model: examples, cross-validation, threshold, the final fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

import numpy as np

from cleancrawl.core.recipe import Favour, Recipe, Wishes
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import GoldPage, load_sets
from cleancrawl.lab.bench.evaluate import Summary
from cleancrawl.lab.bench.rule_precision import Tally
from cleancrawl.lab.learn.crossval import best_threshold, clean_texts, importance, out_of_fold, summary
from cleancrawl.lab.learn.distil import Distillation, Opinion
from cleancrawl.lab.learn.examples import Example, Weighting, make_example
from cleancrawl.lab.learn.perceptron_training import Training
from cleancrawl.lab.learn.rule_words import tally_removals
from cleancrawl.methods.learned import recipe as default
from cleancrawl.methods.learned.features.page_features import feature_sheet
from cleancrawl.methods.learned.model import Model

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    model: Model
    ceiling: float
    """Word F1 where the blocks are chosen by their gold labels: what the segmentation allows."""
    summaries: dict[str, Summary]
    importance: dict[str, float]
    texts: dict[str, str]
    """Out-of-fold texts by page key."""
    removals: dict[str, Tally]
    """What each rule removed out of fold."""
    favoured: dict[Favour, dict[str, Summary]]
    """The same measures where precision or recall is favoured."""


def train(
    directory: str,
    *,
    sets: Sequence[str] = (),
    also: Sequence[str] = (),
    types: Sequence[str] = (),
    limit: int | None = None,
    options: dict[str, Any] | None = None,
    report: Report = lambda line: None,
) -> Outcome:
    """Learn from ``sets``; the pages of ``also`` are only cleaned, each by the model that has not seen its site.

    Raises ``ConfigError`` where there is too little to learn from.
    """
    training, weighting, opinion, recipe = Training(**(options or {})), Weighting(), Opinion(), default()
    pages = _pages(directory, sets, limit, types)
    both = [name for name in also if name in pages]
    if both:
        raise ConfigError(f"{both[0]} cannot be learned from and be left out of learning: name the sets to learn from")
    examples = _measured(pages, recipe, weighting, report)
    if len({example.fold for example in examples}) < 2 or not any(example.labels.max() > 0.5 for example in examples):
        raise ConfigError(f"too few labelled pages of different sites in {directory} to train on")
    distillation = Distillation(examples, training, weighting, opinion, report)
    others = _pages(directory, also, limit, types) if also else {}
    judged = [*examples, *_measured(others, recipe, weighting, report)]
    found, models = out_of_fold(judged, lambda fold: distillation.model({fold}), report)
    threshold = best_threshold(examples, found, recipe)
    texts = clean_texts(judged, found, threshold, recipe)
    summaries = summary(judged, texts)
    favoured = {
        favour: summary(judged, clean_texts(judged, found, threshold, recipe.tailored(Wishes(favour=favour))))
        for favour in get_args(Favour)
    }
    model = replace(
        distillation.model(),
        threshold=threshold,
        provenance={
            "sets": {name: len(listed) for name, listed in pages.items()},
            "types": list(types),
            "training": asdict(training),
            "weighting": asdict(weighting),
            "opinion": asdict(opinion),
            "cross-validated": {name: _figures(figures) for name, figures in summaries.items()},
        },
    )
    return Outcome(
        model=model,
        ceiling=_ceiling(examples),
        summaries=summaries,
        importance=importance(examples, models[0], 0, feature_sheet(examples[0].page).groups, threshold),
        texts=texts,
        removals=tally_removals(examples, found, threshold, recipe),
        favoured=favoured,
    )


def _pages(directory: str, sets: Sequence[str], limit: int | None, types: Sequence[str]) -> dict[str, list[GoldPage]]:
    def wanted(page: GoldPage) -> bool:
        return not types or page.page_type is None or page.page_type in types

    return {found.name: list(filter(wanted, found.pages)) for found in load_sets(directory, sets, limit)}


def _measured(
    pages: Mapping[str, Sequence[GoldPage]], recipe: Recipe, weighting: Weighting, report: Report
) -> list[Example]:
    examples: list[Example] = []
    for name, listed in pages.items():
        made = [make_example(page, recipe.segment, weighting) for page in listed]
        examples.extend(example for example in made if example is not None)
        report(f"{name}: {len(listed)} pages measured")
    return examples


def _ceiling(examples: Sequence[Example]) -> float:
    golden = [example for example in examples if example.gold.text is not None]
    golden = [example for example in golden if example.is_article] or golden
    texts = {
        example.gold.key: "\n".join(
            block.text for block, label in zip(example.page.blocks, example.labels, strict=True) if label >= 0.5
        )
        for example in golden
    }
    return float(np.mean([figures.word.f1 for figures in summary(golden, texts).values()])) if golden else 0.0


def _figures(figures: Summary) -> dict[str, float]:
    """What is worth keeping beside the weights, in four digits."""
    kept = {
        "word F1": figures.word.f1,
        "word precision": figures.word.precision,
        "word recall": figures.word.recall,
        "shingle F1": figures.shingle.f1,
        "must-have found": figures.found,
        "must-not-have avoided": figures.avoided,
    }
    return {name: round(value, 4) for name, value in kept.items() if value}
