"""Two looks that learn from labels and from a second opinion.

Some gold texts are cut short, and of most pages with snippets only a few blocks are labelled. A teacher that has not
seen a page's site says how likely each of its blocks is content; the pupil, which is the second look, learns from the
mean of label and opinion. What the first look says of a page in training is said without its site, too: so the second
one learns how far to trust it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cleancrawl.lab.learn.examples import Example, Lesson, Weighting, first_lesson, stack, word_weights
from cleancrawl.lab.learn.perceptron_training import Training
from cleancrawl.methods.learned.features.page_features import AGAIN, NAMES, feature_sheet
from cleancrawl.methods.learned.features.sheet import Matrix
from cleancrawl.methods.learned.model import Model, candidates
from cleancrawl.methods.learned.perceptron import Perceptron


@dataclass(frozen=True, slots=True)
class Opinion:
    """How much a teacher's opinion counts; every field is part of a model's provenance."""

    mix: float = 0.5
    """The teacher's part in a label that is known."""
    unlabelled: float = 1.0
    """The weight of a block that only the teacher labels, as a share of a labelled one's."""


@dataclass(frozen=True, slots=True)
class Distillation:
    """Trains models; first looks are kept, as those of one cross-validation serve several second ones."""

    examples: Sequence[Example]
    training: Training
    weighting: Weighting
    opinion: Opinion
    report: Callable[[str], None]
    first_looks: dict[frozenset[int], Perceptron] = field(default_factory=dict)

    def model(self, without: Collection[int] = ()) -> Model:
        """A model that has seen no site of the given folds, neither in its looks nor through its teachers."""
        folds = sorted({example.fold for example in self.examples} - set(without))
        if len(folds) < 2:
            lessons = [second_lesson(example, self.first_look(without)) for example in self.examples]
            return Model(self.first_look(without), self._fit_second(lessons))
        lessons_of: dict[int, list[Lesson]] = {}
        for fold in folds:
            look = self.first_look({fold, *without})
            lessons_of[fold] = [second_lesson(example, look) for example in self.examples if example.fold == fold]
        taught = []
        for fold in folds:
            others = [lesson for other in folds if other != fold for lesson in lessons_of[other]]
            teacher = self._fit_second(others)
            taught += [self._with_opinion(lesson, teacher) for lesson in lessons_of[fold]]
        self.report(f"taught without {_named(without)}")
        return Model(self.first_look(without), self._fit_second(taught))

    def first_look(self, without: Collection[int]) -> Perceptron:
        """Trained on the labels alone."""
        key = frozenset(without)
        if key not in self.first_looks:
            seen = [first_lesson(example) for example in self.examples if example.fold not in key]
            self.first_looks[key] = self.training.fit(NAMES, *stack(seen))
            self.report(f"first look without {_named(key)}")
        return self.first_looks[key]

    def _fit_second(self, lessons: Sequence[Lesson]) -> Perceptron:
        return self.training.fit(AGAIN, *stack(lessons))

    def _with_opinion(self, lesson: Lesson, teacher: Perceptron) -> Lesson:
        """The lesson with labels that the teacher has softened or added."""
        opinion, known = teacher.probabilities(np.ascontiguousarray(lesson.table.T)), lesson.weights > 0
        mixed = lesson.labels + np.float32(self.opinion.mix) * (opinion - lesson.labels)
        labels = np.where(known, mixed, opinion).astype(np.float32)
        if lesson.complete:
            return replace(lesson, labels=labels)
        guessed = np.float32(self.opinion.unlabelled) * word_weights(lesson.words, opinion, self.weighting)
        return replace(lesson, labels=labels, weights=np.where(known, lesson.weights, guessed))


def second_lesson(example: Example, look: Perceptron) -> Lesson:
    """What there is to learn about the blocks of a page that a first look leaves."""
    opinion = look.probabilities(np.ascontiguousarray(example.table.T))
    return example.lesson(second_table(example, opinion), candidates(opinion))


def second_table(example: Example, opinion: Matrix) -> Matrix:
    """The rows of the second look at the blocks that it looks at."""
    likely = candidates(opinion)
    rows = feature_sheet(example.page).look_again(opinion, likely).rows
    return np.ascontiguousarray(rows.take(likely, axis=1).T)


def _named(folds: Collection[int]) -> str:
    return f"fold {', '.join(str(fold + 1) for fold in sorted(folds))}" if folds else "nothing"
