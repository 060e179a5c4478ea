"""What JSON-LD lists of a recipe comes back, short as it is; the same words elsewhere on the page do not."""

from __future__ import annotations

import json

from cleancrawl.core.block import Removal
from cleancrawl.core.html.head import Head
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.declared_recipes import DeclaredRecipes, recipe_texts

RECIPE = {
    "@type": "Recipe",
    "recipeIngredient": ["125 g flour", "65 g butter", "1 pinch of salt"],
    "recipeInstructions": [
        {"@type": "HowToSection", "itemListElement": [{"@type": "HowToStep", "text": "Rub the butter into the flour."}]}
    ],
}
TABLE = "<table><tr><td>125 g<td>Flour<tr><td>65 g<td>butter<tr><td>1 pinch<td>of salt</table>"


def brought_back(body: str, declared: object = RECIPE, rule: str = "learned") -> list[str]:
    page = Page(f'<script type="application/ld+json">{json.dumps(declared)}</script><h1>Crumble</h1>{body}')
    TextBlocks()(page)
    for block in page.blocks:
        block.removed = Removal("score", rule, "0.10")
    DeclaredRecipes()(page)
    assert set(page.notes) == {block.index for block in page.kept}
    return [block.text for block in page.kept]


def test_the_cells_of_a_recipe_come_back() -> None:
    assert brought_back(TABLE) == ["125 g", "Flour", "65 g", "butter", "1 pinch", "of salt"]
    assert brought_back("<p>Rub the butter into the flour. </p><p>Serve hot.</p>") == []
    assert brought_back("<p>Rub the butter into the flour.</p><p>65 g butter</p>") == [
        "Rub the butter into the flour.",
        "65 g butter",
    ]


def test_single_words_elsewhere_do_not() -> None:
    menu = "<ul><li><a href=/b>Butter</a><li><a href=/c>Cakes</a><li><a href=/f>Flour</a></ul>"
    assert brought_back(menu) == []
    assert brought_back("<p>25 g<p>our<p>utter") == []


def test_what_a_rule_removed_by_name_stays_removed() -> None:
    assert brought_back(TABLE, rule="hidden") == []


def test_other_pages_have_nothing_to_bring_back() -> None:
    assert brought_back(TABLE, {"@type": "Product", "recipeIngredient": ["125 g flour", "65 g butter"]}) == []
    assert brought_back(TABLE, {"@type": "Recipe", "recipeIngredient": None, "recipeInstructions": 7}) == []


def test_any_shape_is_read_within_bounds() -> None:
    endless: object = "x"
    for _ in range(50):
        endless = [endless]
    record = {"@type": ["Recipe"], "recipeInstructions": [endless, {"name": {"text": ["<i>a</i>"]}}], "tool": "b"}
    assert recipe_texts(Head(json_ld=[json.dumps(record)])) == ["a", "b"]
    many = {"@type": "HowTo", "step": [f"step {number}" for number in range(5000)]}
    assert len(recipe_texts(Head(json_ld=[json.dumps(many)]))) == 500


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, DeclaredRecipes) for stage in recipe().score)
