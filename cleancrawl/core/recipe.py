"""A recipe is four phases of stages; running it is reading it from top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, get_args

from cleancrawl.core.page import Layout, Page
from cleancrawl.errors import ConfigError, UnfitRecipe

Phase = Literal["segment", "primary", "secondary", "score"]
PHASES: tuple[Phase, ...] = ("segment", "primary", "secondary", "score")
Favour = Literal["precision", "recall"]
"""What counts more to a user: that nothing strange is in the text, or that nothing of the article is lost."""
LookUp = Callable[[Page], None]
"""Puts on a page what a store knows about its blocks and its site."""


class Stage(Protocol):
    """A frozen dataclass whose fields are its thresholds. It reads the page and marks blocks; it does no I/O.

    Where it has one of these, it is used: ``makes`` (the type of layout that a segmenter fills ``page.layout`` with),
    ``needs`` (the type that a stage reads), ``needs_site`` (true where it works with what is known of the site),
    ``tailored(wishes)`` with ``heeds`` (the names of the wishes that change what it does; without it, all of them) and
    ``learn_site(page, notes, site, url)``. A stage that can lean to precision or to recall
    has a field ``favour: Favour | None = None``, and its ``tailored`` takes ``wishes.favour`` into it.
    """

    def __call__(self, page: Page) -> None: ...


class SiteNotes(Protocol):
    """What a method keeps about a site besides its blocks, as text by name; a store has it."""

    def note(self, site: str, name: str) -> str | None: ...

    def set_note(self, site: str, name: str, text: str) -> None:
        """Replaces an earlier note of this name."""
        ...


class SettledNotes:
    """Base of notes that nobody adds to any more: what a page would add need not be worked out."""

    __slots__ = ()

    def set_note(self, site: str, name: str, text: str) -> None:
        """Nothing: a page must not change what the next one is told."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user asks of a recipe; the empty values leave it as it is."""

    ad_domains: frozenset[str] = frozenset()
    """Joins the known domains of advertisers."""
    min_pages: int | None = None
    """On how many other pages of the site a block is noise."""
    min_share: float | None = None
    """On which share of them as well."""
    model: str | None = None
    """The file of another model."""
    comments: bool = False
    """Keeps readers' comments in the text."""
    favour: Favour | None = None
    """Leans to precision or to recall; None weighs both alike."""

    def __post_init__(self) -> None:
        if self.favour is not None and self.favour not in get_args(Favour):
            allowed = " or ".join(map(repr, get_args(Favour)))
            raise ConfigError(f"favour must be {allowed}, or None, not {self.favour!r}")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a page is cleaned: cut into blocks, then marked by primary noise, secondary noise and score.

    Raises ``UnfitRecipe`` where a stage needs another layout than the segmenter makes.
    """

    name: str
    summary: str
    segment: tuple[Stage, ...]
    primary: tuple[Stage, ...] = ()
    secondary: tuple[Stage, ...] = ()
    score: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        made = next((stage.makes for stage in reversed(self.segment) if hasattr(stage, "makes")), Layout)
        for stage in self.stages():
            needed = getattr(stage, "needs", Layout)
            if not issubclass(made, needed):
                maker = type(self.segment[-1]).__name__ if self.segment else "no segmenter"
                raise UnfitRecipe(
                    f"recipe {self.name}: {type(stage).__name__} needs a {needed.__name__}, but {maker} makes none"
                )

    def stages(self) -> Iterator[Any]:
        """All stages in the order in which they run."""
        for phase in PHASES:
            yield from getattr(self, phase)

    @property
    def needs_site(self) -> bool:
        """Whether the first pages of a site are worth waiting with until more of it is known."""
        return any(getattr(stage, "needs_site", False) for stage in self.stages())

    def run(self, page: Page, look_up: LookUp | None = None) -> None:
        """Run all four phases; blocks without a removal are the page's content."""
        for phase in PHASES:
            self.run_phase(phase, page, look_up)

    def run_phase(self, phase: Phase, page: Page, look_up: LookUp | None = None) -> None:
        """Run one phase. The secondary phase begins with what a store knows, where there is one."""
        if phase == "secondary" and look_up is not None:
            look_up(page)
        stages: tuple[Stage, ...] = getattr(self, phase)
        for stage in stages:
            stage(page)

    def learn_site(self, page: Page, notes: SiteNotes, site: str, url: str) -> None:
        """Let stages that keep notes about sites read and write theirs; part of a look-up."""
        for stage in self.stages():
            if hasattr(stage, "learn_site"):
                stage.learn_site(page, notes, site, url)

    def tailored(self, wishes: Wishes) -> Recipe:
        """The recipe with the user's wishes in its stages: recipes are data, so wishes are other values in them.

        Raises ``ConfigError`` where a wish can have no effect on it, ``ModelError`` where a model's file is none.
        """
        if wishes == Wishes():
            return self
        heeded = frozenset[str]().union(*map(_heeded, self.stages()))
        for name, why_not in _UNHEEDED.items():
            if getattr(wishes, name) != getattr(Wishes(), name) and name not in heeded:
                raise ConfigError(f"the recipe {self.name} {why_not}")
        phases: dict[str, Any] = {
            phase: tuple(_tailored(stage, wishes) for stage in getattr(self, phase)) for phase in PHASES
        }
        return replace(self, **phases)


_UNHEEDED = {
    "ad_domains": "has no rules on ad domains, so lists of them do nothing",
    "min_pages": "does not look at what recurs on a site",
    "min_share": "does not look at what recurs on a site",
    "model": "uses no model",
    "comments": "has no rule on readers' comments that could keep them",
    "favour": "can favour neither precision nor recall",
}
"""Why a wish is refused."""


def _heeded(stage: Any) -> frozenset[str]:
    """Which wishes change what a stage does."""
    heeds: frozenset[str] = getattr(stage, "heeds", frozenset(_UNHEEDED) if hasattr(stage, "tailored") else frozenset())
    return heeds


def _tailored(stage: Any, wishes: Wishes) -> Any:
    return stage.tailored(wishes) if hasattr(stage, "tailored") else stage
