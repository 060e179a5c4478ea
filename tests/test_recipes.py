from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import clean, recipes
from cleancrawl.recipes import get_recipe
from tests.soundness import flaws

PAGE = "<html><head><title>A page</title></head><body><div><p>Some text, and more of it.</p></div></body></html>"


@pytest.mark.parametrize("path", recipes.RECIPES.values())
def test_recipes_contain_no_branch(path: str) -> None:
    branches = (ast.If, ast.IfExp, ast.Match, ast.For, ast.While, ast.Try, ast.BoolOp)
    tree = ast.parse(inspect.getsource(import_module(path.rpartition(".")[0])))
    assert [node for node in ast.walk(tree) if isinstance(node, branches)] == []


@pytest.mark.parametrize("name", recipes.RECIPES)
class TestEveryRecipe:
    def test_goes_by_the_name_it_is_listed_under(self, name: str) -> None:
        recipe = get_recipe(name)
        assert recipe.name == name
        assert recipe.summary

    @pytest.mark.parametrize("html", ["", " ", "<", "<p>", "plain", PAGE, "<html></html>", "<frameset>", "\x00<b>"])
    def test_takes_any_page(self, name: str, html: str) -> None:
        assert flaws(clean(html, recipe=name)) == []


SCRAPS = (
    *"<div> </div> </p> <table><tr><td> </table> '> </a> <br> <h1> </h2> <ul><li> <script> </script> <!-- -->".split(),
    *'<title> <svg =" < > &#x &nbsp; https://example.org/share 文字。'.split(),
    *("<p class='ad'>", "<a href='//x.org/", "One, two. ", "short ", "\n", "\x00", "\xa9 2020 ", "\ud800", "\u202e"),
)


@given(
    st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join)
    | st.lists(st.sampled_from(SCRAPS), max_size=40).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass"))
    | st.binary(max_size=200)
)
@settings(deadline=None, max_examples=60)
def test_no_recipe_raises_whatever_the_page(html: str | bytes) -> None:
    for name in recipes.RECIPES:
        document = clean(html, "https://example.org/", recipe=name)
        assert flaws(document) == []
        assert isinstance(document.markdown + document.html, str)


def test_the_recipe_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[1] / "docs" / "methods" / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 10
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out == "One, two.\n"


def test_the_documentation_names_every_recipe() -> None:
    text = (Path(__file__).parents[1] / "docs" / "methods" / "README.md").read_text("utf-8")
    assert all(f"| `{name}` |" in text for name in recipes.RECIPES)
