"""Recipes: the ingredients and steps that a page's JSON-LD lists are content wherever the page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import groupby
from typing import Any

from cleancrawl.core.html.head import Head
from cleancrawl.core.html.json_ld import LONGEST_VALUE, nodes, types
from cleancrawl.core.page import Page
from cleancrawl.core.text.words import words
from cleancrawl.methods.learned.brought_back import bring_back, was_judged

_TYPES = frozenset({"recipe", "howto"})
_TRACES = ("recipeIn", "HowTo")
_PARTS = ("recipeIngredient", "ingredients", "recipeInstructions", "supply", "tool", "step")
_INSIDE = ("text", "name", "itemListElement", "step")
_MOST, _DEEPEST = 500, 6
"""Texts of a recipe, and lists in lists of steps: what has more is none."""
_LONGEST = 2000
"""Characters of a block that are looked for."""
_WORK = 50_000_000
"""Blocks times characters that they are looked for in: no recipe comes near."""
_TAG = re.compile(r"<[^<>]*+>")


@dataclass(frozen=True, slots=True)
class DeclaredRecipes:
    """Bring back the blocks of a recipe that a score removed: "200 g" tells a model nothing.

    A single block may say "butter" anywhere on a page, so runs of blocks count. Runs after a score.
    """

    min_blocks: int = 3
    """Blocks of a run, all of which JSON-LD has …"""
    min_words: int = 8
    """… or words."""

    def __call__(self, page: Page) -> None:
        if not any(trace in source for source in page.head.json_ld for trace in _TRACES):
            return
        if not any(map(was_judged, page.blocks)):
            return
        declared = "\n".join(map(_spelled, recipe_texts(page.head)))
        if not declared or len(declared) * len(page.blocks) > _WORK:
            return
        said = [_said(block.text, declared) for block in page.blocks]
        for known, run in groupby(page.blocks, key=lambda block: said[block.index]):
            blocks = list(run)
            if known and (len(blocks) >= self.min_blocks or sum(block.words for block in blocks) >= self.min_words):
                for block in filter(was_judged, blocks):
                    bring_back(page, block, "part of the recipe that JSON-LD lists")


def _said(text: str, declared: str) -> bool:
    spelled = _spelled(text[:_LONGEST])
    return not spelled.isspace() and spelled in declared


def _spelled(text: str) -> str:
    """The words of a text between spaces, so that no part of a word is found."""
    return f" {' '.join(words(text.lower()))} "


def recipe_texts(head: Head) -> list[str]:
    """The ingredients and steps of a page's recipes and instructions, without markup.

    >>> step = '{"@type": "HowToStep", "text": "<b>Stir</b> &amp; bake"}'
    >>> recipe_texts(Head(json_ld=['{"@type": "Recipe", "recipeIngredient": ["2 eggs"], "step": [' + step + "]}"]))
    ['2 eggs', 'Stir & bake']
    """
    found: list[str] = []
    for node in nodes(head.linked_data):
        if types(node) & _TYPES:
            for text in _texts([node.get(part) for part in _PARTS], _DEEPEST):
                found.append(" ".join(unescape(_TAG.sub(" ", text[:LONGEST_VALUE])).split()))
                if len(found) >= _MOST:
                    return found
    return found


def _texts(value: Any, levels: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif levels > 0:
        inside = value if isinstance(value, list) else ()
        if isinstance(value, dict):
            inside = [value.get(part) for part in _INSIDE]
        for one in inside[:_MOST]:
            yield from _texts(one, levels - 1)
