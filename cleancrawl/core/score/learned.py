"""The score of the default recipe: a small learned model over features of all five papers."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.features.sheet import Matrix
from cleancrawl.core.features.table import feature_sheet
from cleancrawl.core.page import Page
from cleancrawl.core.score.model import load_model
from cleancrawl.errors import ModelError


@dataclass(frozen=True, slots=True)
class LearnedScore:
    """Score every block with the model and remove those below its threshold. Needs ``TextBlocks``.

    ``model`` is the path of a model that ``cleancrawl train`` wrote; None is the one in the package.
    Raises ``ModelError`` where the file is damaged or made for other features.
    """

    model: str | None = None
    threshold: float | None = None
    """None takes the model's own."""

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        model = load_model(self.model)
        sheet = feature_sheet(page)
        if tuple(sheet.names) != model.features:
            raise ModelError(f"{self.model or 'the shipped model'} was trained on other features: train it again")
        mark(page, model.probabilities(sheet.features()), model.threshold if self.threshold is None else self.threshold)


def mark(page: Page, probabilities: Matrix, threshold: float) -> None:
    """Give every block its score, and remove those below the threshold."""
    for block, score in zip(page.blocks, probabilities.tolist(), strict=True):
        block.score = score
        if score < threshold:
            block.remove("score", "learned", f"{score:.2f}")
