from __future__ import annotations

import ast
import inspect

import pytest

from cleancrawl import clean, recipes
from cleancrawl.lookup import get_recipe

PAGE = "<html><head><title>A page</title></head><body><div><p>Some text, and more of it.</p></div></body></html>"


def test_recipes_contain_no_branch() -> None:
    branches = (ast.If, ast.IfExp, ast.Match, ast.For, ast.While, ast.Try, ast.BoolOp)
    tree = ast.parse(inspect.getsource(recipes))
    assert [node for node in ast.walk(tree) if isinstance(node, branches)] == []


@pytest.mark.parametrize("name", recipes.RECIPES)
class TestEveryRecipe:
    def test_goes_by_the_name_it_is_listed_under(self, name: str) -> None:
        recipe = get_recipe(name)
        assert recipe.name == name
        assert recipe.summary

    @pytest.mark.parametrize("html", ["", " ", "<", "<p>", "plain", PAGE, "<html></html>", "<frameset>", "\x00<b>"])
    def test_takes_any_page(self, name: str, html: str) -> None:
        assert isinstance(clean(html, recipe=name).text, str)
