"""Recipes that fail on pages with a word in their title, or kill their process."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.recipes import get_recipe

FAILS, FAILS_LATER, KILLS, KILLS_LATER = "failing", "laterfailing", "deadly", "laterdeadly"


@dataclass(frozen=True, slots=True)
class Trap:
    def __call__(self, page: Page) -> None:
        words = page.title.split()
        if FAILS in words or (FAILS_LATER in words and page.known is not None):
            raise RuntimeError("a stage of mine failed")
        if KILLS in words or (KILLS_LATER in words and page.known is not None):
            os._exit(9)


def trapped() -> Recipe:
    recipe = get_recipe("default")
    return replace(recipe, name="trapped", score=(*recipe.score, Trap()))
