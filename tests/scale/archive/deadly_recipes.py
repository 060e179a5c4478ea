"""Recipes that fail on pages with a word in their title, or kill their process."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.recipes import get_recipe

FAILS, KILLS, KILLS_LATER = "failing", "deadly", "laterdeadly"


@dataclass(frozen=True, slots=True)
class Trap:
    def __call__(self, page: Page) -> None:
        if FAILS in page.title:
            raise RuntimeError("a stage of mine failed")
        if KILLS in page.title.split() or (KILLS_LATER in page.title and page.known is not None):
            os._exit(9)


def trapped() -> Recipe:
    recipe = get_recipe("default")
    return replace(recipe, name="trapped", score=(*recipe.score, Trap()))
