"""Recipes by name or import path."""

from __future__ import annotations

from importlib import import_module

from cleancrawl.core.recipe import Recipe
from cleancrawl.errors import UnknownRecipe
from cleancrawl.recipes import RECIPES


def get_recipe(recipe: str | Recipe) -> Recipe:
    """A recipe by name, by import path (``package.module.function_or_recipe``), or as it is."""
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str):
        raise TypeError(f"recipe must be a name or a Recipe, not {type(recipe).__name__}")
    if recipe in RECIPES:
        return RECIPES[recipe]()
    module, _, name = recipe.rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except (ValueError, ImportError, AttributeError):
        names = ", ".join(RECIPES)
        raise UnknownRecipe(f"unknown recipe {recipe!r}: use one of {names}, or an import path") from None
    made = found() if callable(found) else found
    if not isinstance(made, Recipe):
        raise UnknownRecipe(f"{recipe!r} is not a Recipe")
    return made
