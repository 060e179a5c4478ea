"""METHODS B3–B4: classes by length, links and stop words, then by the classes around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cleancrawl.core.page import Page
from cleancrawl.methods.shallow_features.block_features import column, shallow_features

Class = Literal["good", "near-good", "short", "bad"]


@dataclass(frozen=True, slots=True)
class StopwordContext:
    """Remove blocks that come out bad; the two classes of a block that changed stand in ``page.notes``."""

    # The paper gives no values. Starting from 0.2, 14, 40, 0.30 and 0.32 (word F1 .785 on a third of the development
    # articles), each in turn was moved to where it measured best (.893) and then rounded towards the start.
    max_link_density: float = 0.4
    length_low: int = 10
    length_high: int = 25
    stopword_low: float = 0.10
    stopword_high: float = 0.20

    def __call__(self, page: Page) -> None:
        table = shallow_features(page)
        measures = table[:, [column("link density"), column("words"), column("stop word density")]].tolist()
        free = [self.context_free(*row) for row in measures]
        for block, before, (after, reason) in zip(page.blocks, free, in_context(free), strict=True):
            note = f"{before} → {after} ({reason})" if reason else before
            page.notes[block.index] = note
            block.score = float(after == "good")
            if after != "good":
                block.remove("primary", "stopword-context", note)

    def context_free(self, link_density: float, tokens: float, stopword_density: float) -> Class:
        """Algorithm 1 of the paper."""
        if link_density > self.max_link_density:
            return "bad"
        if tokens < self.length_low:
            return "bad" if link_density > 0 else "short"
        if stopword_density > self.stopword_high:
            return "good" if tokens > self.length_high else "near-good"
        return "near-good" if stopword_density > self.stopword_low else "bad"


def in_context(classes: Sequence[Class]) -> list[tuple[Class, str]]:
    """B4: short and near-good blocks become good or bad; the reason is empty where a class stands as it was.

    >>> [after for after, _ in in_context(["good", "short", "near-good", "short", "bad"])]
    ['good', 'good', 'good', 'bad', 'bad']
    """
    result: list[tuple[Class, str]] = [(name, "") for name in classes]
    for start, end in _runs(classes):
        before = classes[start - 1] if start else "bad"
        after = classes[end] if end < len(classes) else "bad"
        if before == after:
            final: Class = "good" if before == "good" else "bad"
            result[start:end] = [(final, f"between {final} blocks")] * (end - start)
        else:
            result[start:end] = _mixed(classes[start:end], bad_first=before == "bad")
    return result


def _runs(classes: Sequence[Class]) -> Iterator[tuple[int, int]]:
    """Runs of short and near-good blocks."""
    start = None
    for index, name in enumerate([*classes, "bad"]):
        if name in ("short", "near-good"):
            start = index if start is None else start
        elif start is not None:
            yield start, index
            start = None


def _mixed(run: Sequence[Class], *, bad_first: bool) -> list[tuple[Class, str]]:
    """A run between a good and a bad block: the near-good block nearest the bad one is the border."""
    places = [index for index, name in enumerate(run) if name == "near-good"]
    if not places:
        return [("bad", "short blocks beside a bad one")] * len(run)
    border = places[0] if bad_first else places[-1]
    good = range(border, len(run)) if bad_first else range(border + 1)
    inside: tuple[Class, str] = ("good", "up to the last near-good block")
    return [inside if index in good else ("bad", "beyond the last near-good block") for index in range(len(run))]
