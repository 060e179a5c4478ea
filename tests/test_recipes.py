from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

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


def test_the_recipe_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[1] / "docs" / "methods.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 10
    exec(compile(example, "methods.md", "exec"), {})
    assert capsys.readouterr().out == "One, two.\n"


def test_the_documentation_names_every_recipe() -> None:
    text = (Path(__file__).parents[1] / "docs" / "methods.md").read_text("utf-8")
    assert all(f"| `{name}` |" in text for name in recipes.RECIPES)
