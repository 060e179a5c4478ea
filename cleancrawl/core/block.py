"""A piece of a page's text, and the verdict on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Removal:
    """Why a block was removed: by which stage, by which rule, on what evidence.

    >>> str(Removal("primary", "ad-domain", "doubleclick.net"))
    'primary: ad-domain (doubleclick.net)'
    """

    stage: str
    rule: str
    evidence: str = ""

    def __str__(self) -> str:
        return f"{self.stage}: {self.rule}" + (f" ({self.evidence})" if self.evidence else "")


@lru_cache(maxsize=4096)
def removal(stage: str, rule: str, evidence: str) -> Removal:
    """The same removal for all blocks of which this is said: many are alike, and to make one takes its time."""
    return Removal(stage, rule, evidence)


@dataclass(slots=True, eq=False)
class Block:
    """A piece of a page's text. Kept as long as nothing has removed it."""

    text: str
    words: int
    link_words: int
    tag: str
    node: Any = None
    """The lxml element, or None where the segmentation built no tree."""
    index: int = 0
    score: float | None = None
    removed: Removal | None = None

    @property
    def kept(self) -> bool:
        return self.removed is None

    def remove(self, stage: str, rule: str, evidence: str = "") -> None:
        """Mark the block; the first verdict stands."""
        if self.removed is None:
            self.removed = Removal(stage, rule, evidence)
