"""METHODS B5: the decision tree that the paper prints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.methods.shallow_features.block_features import Table, column, shallow_features

MEASURES = ("link density", "previous link density", "text density", "previous text density", "next text density")


@dataclass(frozen=True, slots=True)
class PrintedTree:
    """Remove what the printed tree calls boilerplate."""

    def __call__(self, page: Page) -> None:
        table = shallow_features(page)
        measures = table[:, [column(name) for name in MEASURES]]
        for block, content, row in zip(page.blocks, printed_tree(measures), measures.tolist(), strict=True):
            block.score = float(content)
            if not content:
                reason = "link {:.2f} after {:.2f}, text {:.1f} after {:.1f} before {:.1f}".format(*row)
                block.remove("primary", "printed-tree", reason)


def printed_tree(measures: Table) -> list[bool]:
    """Which blocks are content, by link density here and before, text density here, before and after.

    >>> printed_tree(np.array([[0.0, 0.0, 10.0, 0.0, 3.0], [0.4, 0.0, 10.0, 0.0, 3.0]]))
    [True, False]
    """
    link, previous_link, text, previous_text, next_text = measures.T
    thin = np.where(next_text <= 10, previous_text > 4, True)
    after_text = np.where(text <= 9, thin, next_text > 0)
    content = np.where(link <= 0.3, np.where(previous_link <= 0.5, after_text, next_text > 11), False)
    decided: list[bool] = content.astype(bool).tolist()
    return decided
