"""METHODS B5: the tree is trained by a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl import clean
from cleancrawl.cli import main
from cleancrawl.core.recipe import Recipe
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.trained_tree import DecisionTree, TrainedTree
from tests.extras import needs

needs("sklearn", "train")
TEXT = "The council decided on Monday, after a long debate, to rebuild the old bridge over the river in May."
PAGE = (
    "<html lang=en><body><ul><li><a href=/>Home</a><li><a href=/s>Sport</a></ul><p>{}</p><p>{}</p><p>Imprint</p></body>"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "html").mkdir()
    lines = []
    for number in range(12):
        paragraphs = [f"{TEXT} Part {number}.", f"{TEXT} End {number}."]
        (tmp_path / "html" / f"{number}.html").write_text(PAGE.format(*paragraphs), "utf-8")
        record = {"id": str(number), "url": f"https://site{number}.example/", "text": "\n".join(paragraphs)}
        lines.append(json.dumps(record | {"page_type": "article"}))
    (tmp_path / "truth.jsonl").write_text("\n".join(lines), "utf-8")
    return tmp_path


def test_b5_train_writes_a_tree_that_works_and_says_what_it_is_worth(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = data / "tree.json"
    assert main(["train", "--data", str(data), "--tree", "--min-leaf", "20", "-o", str(output)]) == 0
    assert "12 pages; word P 1.0000 R 1.0000 F1 1.0000" in capsys.readouterr().out
    model = json.loads(output.read_text("utf-8"))
    assert model["provenance"]["pages"] == 12
    assert model["provenance"]["min_leaf"] == 20
    recipe = Recipe("own", "", (AtomicBlocks(),), (TrainedTree(tree=DecisionTree.load(model)),))
    assert clean(PAGE.format(TEXT, TEXT), recipe=recipe).text == f"{TEXT}\n{TEXT}"


def test_too_little_to_learn_from(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--data", str(data), "--tree", "--limit", "1"]) == 2
    assert "too few labelled pages" in capsys.readouterr().err
