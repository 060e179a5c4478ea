"""A model that learns from another's second opinion: softened labels, and labels where there were none.

Some gold texts are cut short, and of most pages with snippets only a few blocks are labelled. A teacher that has not
seen a page's site says how likely each of its blocks is content; the pupil learns from the mean of label and opinion.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cleancrawl.lab.learn.examples import Example, Weighting, stack, word_weights
from cleancrawl.lab.learn.perceptron import Training
from cleancrawl.methods.learned.model import Model


@dataclass(frozen=True, slots=True)
class Opinion:
    """How much a teacher's opinion counts; every field is part of a model's provenance."""

    mix: float = 0.5
    """The teacher's part in a label that is known."""
    unlabelled: float = 1.0
    """The weight of a block that only the teacher labels, as a share of a labelled one's."""


@dataclass(frozen=True, slots=True)
class Distillation:
    """Trains pupils; teachers are kept, as those of one cross-validation serve several pupils."""

    features: tuple[str, ...]
    examples: Sequence[Example]
    training: Training
    weighting: Weighting
    opinion: Opinion
    report: Callable[[str], None]
    teachers: dict[frozenset[int], Model] = field(default_factory=dict)

    def pupil(self, without: Collection[int] = ()) -> Model:
        """A model that has seen no site of the given folds, by teachers that have not either."""
        folds = sorted({example.fold for example in self.examples} - set(without))
        if len(folds) < 2:
            return self.teacher(frozenset(without))
        taught = [
            self.with_opinion(example, self.teacher(frozenset({fold, *without})))
            for fold in folds
            for example in self.examples
            if example.fold == fold
        ]
        return self.training.fit(self.features, *stack(taught))

    def teacher(self, without: frozenset[int]) -> Model:
        """A model trained on the labels alone, without some folds."""
        if without not in self.teachers:
            seen = [example for example in self.examples if example.fold not in without]
            self.teachers[without] = self.training.fit(self.features, *stack(seen))
            self.report(f"teacher without fold {', '.join(str(fold + 1) for fold in sorted(without))}")
        return self.teachers[without]

    def with_opinion(self, example: Example, teacher: Model) -> Example:
        """The example with labels that the teacher has softened or added."""
        opinion, known = teacher.probabilities(example.table.T), example.weights > 0
        mixed = example.labels + np.float32(self.opinion.mix) * (opinion - example.labels)
        labels = np.where(known, mixed, opinion).astype(np.float32)
        if example.gold.text is not None:
            return replace(example, labels=labels)
        guessed = np.float32(self.opinion.unlabelled) * word_weights(example.page, opinion, self.weighting)
        return replace(example, labels=labels, weights=np.where(known, example.weights, guessed))
