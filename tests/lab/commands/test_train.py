from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.methods.learned.model import load_model

SENTENCES = (
    "The council decided on Monday, after a long debate, to rebuild the old bridge over the river.",
    "Nobody had expected it, the mayor said, but the money is there and the work starts in May.",
    "Shops in the old town hope for more visitors, and the ferry will run until the end of the year.",
)
NOISE = "<nav><ul><li><a href=/>Home</a><li><a href=/s>Sport</a><li><a href=/w>Weather</a></ul></nav>"
TEASERS = "<li><a href=/1>Storm on the coast</a><li><a href=/2>New school</a>"
RELATED = f"<div class=related><h3>Read more</h3><ul>{TEASERS}</ul></div>"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    for name, with_gold in (("full", True), ("weak", False)):
        (root / name / "html").mkdir(parents=True)
        lines = []
        for number in range(12):
            paragraphs = [f"{sentence} Number {number}." for sentence in SENTENCES]
            body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
            html = f"<html><title>Bridge</title><body>{NOISE}<div class=story>{body}</div>{RELATED}</body></html>"
            (root / name / "html" / f"{number}.html").write_text(html, "utf-8")
            record: dict[str, object] = {"id": str(number), "url": f"https://{name}{number}.example/a"}
            if with_gold:
                record |= {"text": "\n".join(paragraphs), "page_type": "article"}
            else:
                record |= {"must_have": [paragraphs[0]], "must_not_have": ["Storm on the coast"]}
            lines.append(json.dumps(record))
        (root / name / "truth.jsonl").write_text("\n".join(lines), "utf-8")
    return root


def test_train_writes_a_model_that_works_and_says_what_it_is_worth(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, texts = tmp_path / "model.json", tmp_path / "texts.json"
    assert main(["train", "--data", str(data), "--epochs", "40", "-o", str(path), "--texts", str(texts)]) == 0
    said = capsys.readouterr().out
    assert "segmentation ceiling: word F1 1.0000" in said
    assert "class and id hints" in said
    for favour in ("precision", "recall"):
        assert f"full, the same where {favour} is favoured: 12 pages; word P " in said
        assert f"weak, the same where {favour} is favoured: 12 pages; must-have found " in said
    model = load_model(str(path))
    assert model.provenance["sets"] == {"full": 12, "weak": 12}
    assert model.provenance["cross-validated"]["full"]["word F1"] > 0.9
    assert len(json.loads(texts.read_text("utf-8"))) == 24


def test_the_same_seed_gives_the_same_file(data: Path, tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        assert main(["train", "--data", str(data), "--set", "full", "--epochs", "2", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_sets_that_are_only_cleaned(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, path = tmp_path / "texts.json", tmp_path / "model.json"
    options = ["--data", str(data), "--set", "full", "--also", "weak", "--epochs", "2"]
    assert main(["train", *options, "-o", str(path), "--texts", str(texts)]) == 0
    assert load_model(str(path)).provenance["sets"] == {"full": 12}
    assert len(json.loads(texts.read_text("utf-8"))) == 24
    assert "weak, each page by a model that has not seen its site: 12 pages" in capsys.readouterr().out
    assert main(["train", "--data", str(data), "--also", "weak", "--epochs", "2"]) == 2
    assert "weak cannot be learned from and be left out" in capsys.readouterr().err


def test_too_little_to_learn_from(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--data", str(data), "--set", "full", "--types", "forum"]) == 2
    assert "too few labelled pages" in capsys.readouterr().err
    assert main(["train", "--data", str(data), "--set", "full", "--epochs", "1", "-o", "/nowhere/at/all.json"]) == 2
