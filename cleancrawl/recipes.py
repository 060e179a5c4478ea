"""The recipes by name. Each is made by its method's package, which is imported when the recipe is chosen."""

from __future__ import annotations

from functools import cache

from cleancrawl.core.recipe import Recipe
from cleancrawl.errors import UnknownRecipe
from cleancrawl.import_path import find

RECIPES: dict[str, str] = {
    "default": "cleancrawl.methods.learned.recipe",
    "core-content": "cleancrawl.methods.core_content.recipe",
    "shallow-features": "cleancrawl.methods.shallow_features.recipe",
    "site-template": "cleancrawl.methods.site_template.recipe",
    "key-pattern": "cleancrawl.methods.key_pattern.recipe",
    "line-block": "cleancrawl.methods.line_block.recipe",
}


def get_recipe(recipe: str | Recipe) -> Recipe:
    """A recipe by name, by import path (``package.module.function_or_recipe``), or as it is."""
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str):
        raise TypeError(f"recipe must be a name or a Recipe, not {type(recipe).__name__}")
    return _own(recipe) if recipe in RECIPES else _imported(recipe, recipe)


@cache
def _own(name: str) -> Recipe:
    """One of ours, made once: it is data that nothing changes."""
    return _imported(name, RECIPES[name])


def _imported(recipe: str, path: str) -> Recipe:
    try:
        found = find(path)
    except LookupError:
        names = ", ".join(RECIPES)
        raise UnknownRecipe(f"unknown recipe {recipe!r}: use one of {names}, or an import path") from None
    made = found() if callable(found) else found
    if not isinstance(made, Recipe):
        raise UnknownRecipe(f"{recipe!r} is not a Recipe")
    return made
