"""METHODS B3–B5."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cleancrawl import Page, clean
from cleancrawl.cli import main
from cleancrawl.data import read_text
from cleancrawl.errors import ConfigError
from cleancrawl.methods.shallow_features import recipe as shallow_features
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.printed_tree import PrintedTree, printed_tree
from cleancrawl.methods.shallow_features.stopword_context import StopwordContext, in_context
from cleancrawl.methods.shallow_features.trained_tree import DecisionTree, TrainedTree, shipped_tree
from cleancrawl.recipes import RECIPES, get_recipe
from tests.soundness import flaws

TEXT = "The council said that it had been one of the worst of the storms that they could think of, and that it would "
LONG = f"<p>{TEXT * 3}</p>"
PAGE = f"<html lang=en><body><ul><li><a href=/>Home</a><li><a href=/a>All</a></ul>{LONG}<h2>Short one</h2>{LONG}"


@pytest.mark.parametrize(
    ("link", "tokens", "stops", "expected"),
    [
        (0.21, 100, 0.5, "bad"),
        (0.1, 13, 0.5, "bad"),
        (0, 13, 0.5, "short"),
        (0.1, 41, 0.33, "good"),
        (0.1, 40, 0.33, "near-good"),
        (0.1, 100, 0.31, "near-good"),
        (0.1, 100, 0.30, "bad"),
    ],
)
def test_b3_context_free(link: float, tokens: float, stops: float, expected: str) -> None:
    assert StopwordContext(0.2, 14, 40, 0.30, 0.32).context_free(link, tokens, stops) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("good short near-good good", "good good good good"),
        ("bad short near-good bad", "bad bad bad bad"),
        ("good short near-good short bad", "good good good bad bad"),
        ("bad short near-good short near-good good", "bad bad good good good good"),
        ("good short short bad", "good bad bad bad"),
        ("short near-good", "bad bad"),
        ("near-good short good", "good good good"),
        ("", ""),
    ],
)
def test_b4_context(before: str, after: str) -> None:
    classes = in_context(before.split())  # type: ignore[arg-type]
    assert [name for name, _ in classes] == after.split()


def test_b4_both_classes_are_in_the_notes() -> None:
    document = clean(PAGE, recipe=shallow_features("stopword-context"))
    assert document.page.notes == {
        0: "bad",
        1: "bad",
        2: "good",
        3: "short → good (between good blocks)",
        4: "good",
    }
    assert str(document.blocks[0].removed) == "primary: stopword-context (bad)"


@pytest.mark.parametrize(
    ("link", "previous_link", "text", "next_text", "previous_text", "content"),
    [
        (0.3, 0.5, 9, 10, 4, False),
        (0.3, 0.5, 9, 10, 4.1, True),
        (0.3, 0.5, 9, 10.1, 0, True),
        (0.3, 0.5, 9.1, 0, 9, False),
        (0.3, 0.5, 9.1, 1, 0, True),
        (0.3, 0.51, 20, 11, 9, False),
        (0.3, 0.51, 1, 11.1, 0, True),
        (0.31, 0, 20, 20, 20, False),
    ],
)
def test_b5_printed_tree(
    link: float, previous_link: float, text: float, next_text: float, previous_text: float, content: bool
) -> None:
    assert printed_tree(np.array([[link, previous_link, text, previous_text, next_text]])) == [content]


def test_b5_printed_tree_on_a_page() -> None:
    page = Page(PAGE)
    AtomicBlocks()(page)
    PrintedTree()(page)
    # By the letter, text between links and a heading goes, and so does the last block, which nothing follows.
    assert [block.kept for block in page.blocks] == [False, False, False, True, False]
    assert "link 1.00 after 0.00" in str(page.blocks[0].removed)


def walk(model: dict[str, list[float]], row: dict[str, float]) -> float:
    node = 0
    while model["feature"][node] >= 0:
        name = model["features"][model["feature"][node]]  # type: ignore[index]
        node = model["left" if row[name] <= model["threshold"][node] else "right"][node]  # type: ignore[index, assignment]
    return model["content"][node]


def test_b5_trained_tree_walks_as_its_file_says() -> None:
    model = json.loads(read_text("shallow_tree.json"))
    tree = shipped_tree()
    from cleancrawl.methods.shallow_features.block_features import NAMES

    rows = np.array([[a * (1 + place % 7) for place in range(len(NAMES))] for a in (0.0, 0.1, 1.0, 7.5, 30.0)])
    expected = [walk(model, dict(zip(NAMES, row, strict=True))) for row in rows]
    assert tree.predict(rows).tolist() == expected
    assert model["provenance"]["cross-validated"]["word F1"] >= 0.9


def test_b5_trained_tree_of_ones_own() -> None:
    model = {"format": 1, "features": ["words"], "feature": [0, -1, -1], "threshold": [20, 0, 0]}
    tree = DecisionTree.load({**model, "left": [1, 0, 0], "right": [2, 0, 0], "content": [0.5, 0.1, 0.9]})
    page = Page(PAGE)
    AtomicBlocks()(page)
    TrainedTree(tree=tree)(page)
    assert [block.score for block in page.blocks] == [0.1, 0.1, 0.9, 0.1, 0.9]
    assert str(page.blocks[0].removed) == "primary: trained-tree (content 0.10)"


@pytest.mark.parametrize("model", [{}, {"format": 99}, {"format": 1, "features": ["unknown"]}])
def test_a_tree_of_another_version_is_refused(model: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="train it again"):
        DecisionTree.load(model)


def test_the_recipe_takes_its_classifier_as_a_parameter() -> None:
    kinds = [type(shallow_features(name).primary[0]).__name__ for name in ("trained-tree", "printed-tree")]  # type: ignore[arg-type]
    assert kinds == ["TrainedTree", "PrintedTree"]
    assert get_recipe("shallow-features").primary == (TrainedTree(),)


@pytest.mark.parametrize("name", RECIPES)
def test_equal_paragraphs_pass_every_recipe(name: str) -> None:
    document = clean(LONG * 50, recipe=name)
    assert flaws(document) == []
    assert set(document.text.split()) <= set(TEXT.split())


def test_b4_both_classes_are_visible_in_the_explanation(tmp_path: Path) -> None:
    page, output = tmp_path / "page.html", tmp_path / "report.html"
    page.write_text(PAGE, encoding="utf-8")
    recipe = "cleancrawl.methods.shallow_features.by_context"
    assert main(["explain", str(page), "--recipe", recipe, "-o", str(output)]) == 0
    assert "short → good (between good blocks)" in output.read_text("utf-8")
