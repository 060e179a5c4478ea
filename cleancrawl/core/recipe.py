"""A recipe is four phases of stages; running it is reading it from top to bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from cleancrawl.core.page import Page

Phase = Literal["segment", "primary", "secondary", "score"]
PHASES: tuple[Phase, ...] = ("segment", "primary", "secondary", "score")


class Stage(Protocol):
    """A frozen dataclass whose fields are its thresholds. It reads the page and marks blocks; it does no I/O."""

    def __call__(self, page: Page) -> None: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a page is cleaned: cut into blocks, then marked by primary noise, secondary noise and score."""

    name: str
    summary: str
    segment: tuple[Stage, ...]
    primary: tuple[Stage, ...] = ()
    secondary: tuple[Stage, ...] = ()
    score: tuple[Stage, ...] = ()

    def run(self, page: Page) -> None:
        """Run all four phases; blocks without a removal are the page's content."""
        for phase in PHASES:
            self.run_phase(phase, page)

    def run_phase(self, phase: Phase, page: Page) -> None:
        stages: tuple[Stage, ...] = getattr(self, phase)
        for stage in stages:
            stage(page)
