"""Corrections for single sites, from the user's file into a recipe."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from cleancrawl.core.recipe import Recipe
from cleancrawl.core.rules.site_rules import SiteRules, read_tables
from cleancrawl.core.site_corrections import LastWord, SiteCorrections
from cleancrawl.errors import ConfigError, UnfitRecipe

SiteRulesSource = str | PathLike[str] | Mapping[str, Mapping[str, Sequence[str]]] | SiteRules
"""The name of a TOML file, or what would be in it; as ``SiteRules`` they were read already."""


def with_site_rules(recipe: Recipe, source: SiteRulesSource | None) -> Recipe:
    """The recipe with a user's rules around its stages: dropped before all that mark, and the last word after all.

    Raises ``ConfigError`` where the rules are wrong, or where the recipe makes no text blocks.
    """
    if source is None:
        return recipe
    if isinstance(source, SiteRules):
        rules = source
    else:
        rules = _read_tables(source) if isinstance(source, Mapping) else read_site_rules(source)
    try:
        return replace(recipe, primary=(SiteCorrections(rules), *recipe.primary), score=(*recipe.score, LastWord()))
    except UnfitRecipe:
        raise ConfigError(f"the recipe {recipe.name} makes no text blocks, which site rules need") from None


def read_site_rules(path: str | PathLike[str]) -> SiteRules:
    """Raises ``ConfigError`` with the file, the site and the selector in one line."""
    try:
        tables = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"site rules {path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise ConfigError(f"site rules {path}: {error}") from None
    try:
        return read_tables(tables)
    except ConfigError as error:
        raise ConfigError(f"site rules {path}: {error}") from None


def _read_tables(tables: Mapping[str, Mapping[str, Sequence[str]]]) -> SiteRules:
    try:
        return read_tables(tables)
    except ConfigError as error:
        raise ConfigError(f"site rules: {error}") from None
