"""A recipe with the user's settings in it: recipes are data, so settings are other values in their stages."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass, replace
from typing import Any

from cleancrawl.core.primary.rules import AttributeRules
from cleancrawl.core.recipe import PHASES, Recipe
from cleancrawl.core.score.learned import LearnedScore
from cleancrawl.core.score.model import load_model
from cleancrawl.core.secondary.known_blocks import KnownBlocks
from cleancrawl.errors import ConfigError


def tailored(
    recipe: Recipe,
    *,
    ad_domains: frozenset[str] = frozenset(),
    min_pages: int | None = None,
    min_share: float | None = None,
    model: str | None = None,
) -> Recipe:
    """The recipe with own ad domains in all attribute rules, own bounds on blocks known from the site, an own model.

    Raises ``ConfigError`` where the recipe has no use for a model, ``ModelError`` where the file is none.
    """
    if model is not None:
        recipe = _with_model(recipe, model)
    # A share that the user asks for holds on sites of any size.
    bounds = {"min_pages": min_pages, "min_share": min_share, "sure_pages": None if min_share is None else sys.maxsize}
    bounds = {name: value for name, value in bounds.items() if value is not None}

    def fit(stage: Any) -> Any:
        if isinstance(stage, KnownBlocks):
            return replace(stage, **bounds)  # type: ignore[arg-type]
        return _with_domains(stage, ad_domains) if ad_domains else stage

    phases: dict[str, Any] = {phase: tuple(map(fit, getattr(recipe, phase))) for phase in PHASES}
    return replace(recipe, **phases)


def _with_model(recipe: Recipe, path: str) -> Recipe:
    load_model(path)
    score = tuple(replace(stage, model=path) if isinstance(stage, LearnedScore) else stage for stage in recipe.score)
    if score == recipe.score:
        raise ConfigError(f"the recipe {recipe.name} uses no model")
    return replace(recipe, score=score)


def _with_domains(stage: Any, domains: frozenset[str]) -> Any:
    if not is_dataclass(stage):
        return stage
    changes = {
        field.name: replace(rules, ad_domains=rules.ad_domains | domains)
        for field in fields(stage)
        if isinstance(rules := getattr(stage, field.name), AttributeRules)
    }
    return replace(stage, **changes) if changes else stage  # type: ignore[type-var]
