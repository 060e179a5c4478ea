"""A recipe with the user's settings in it: recipes are data, so settings are other values in their stages."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass, replace
from typing import Any

from cleancrawl.core.primary.rules import AttributeRules
from cleancrawl.core.recipe import PHASES, Recipe
from cleancrawl.core.secondary.known_blocks import KnownBlocks


def tailored(
    recipe: Recipe,
    *,
    ad_domains: frozenset[str] = frozenset(),
    min_pages: int | None = None,
    min_share: float | None = None,
) -> Recipe:
    """The recipe with own ad domains in all attribute rules, and own bounds on blocks known from the site."""
    # A share that the user asks for holds on sites of any size.
    bounds = {"min_pages": min_pages, "min_share": min_share, "sure_pages": None if min_share is None else sys.maxsize}
    bounds = {name: value for name, value in bounds.items() if value is not None}

    def fit(stage: Any) -> Any:
        if isinstance(stage, KnownBlocks):
            return replace(stage, **bounds)  # type: ignore[arg-type]
        return _with_domains(stage, ad_domains) if ad_domains else stage

    phases: dict[str, Any] = {phase: tuple(map(fit, getattr(recipe, phase))) for phase in PHASES}
    return replace(recipe, **phases)


def _with_domains(stage: Any, domains: frozenset[str]) -> Any:
    if not is_dataclass(stage):
        return stage
    changes = {
        field.name: replace(rules, ad_domains=rules.ad_domains | domains)
        for field in fields(stage)
        if isinstance(rules := getattr(stage, field.name), AttributeRules)
    }
    return replace(stage, **changes) if changes else stage  # type: ignore[type-var]
