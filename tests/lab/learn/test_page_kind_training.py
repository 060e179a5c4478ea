from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cleancrawl.core import page_kind as article
from cleancrawl.lab.learn import page_kind_training as training
from tests.extras import needs


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Twenty small pages on ten domains: stories and shelves."""
    folder = tmp_path / "tiny"
    (folder / "html").mkdir(parents=True)
    lines = []
    for number in range(20):
        story = number % 2 == 0
        text = "The council met on Monday, and the mayor spoke at length. " * 8
        body = (
            f"<h1>Title {number}</h1><p>{text}</p>"
            if story
            else "<ul>" + "<li><a href=#>Buy $3</a></li>" * 30 + "</ul>"
        )
        path = f"2024/05/{number + 1:02}/a-story-of-note" if story else "shop/products"
        (folder / "html" / f"{number}.html.gz").write_bytes(gzip.compress(body.encode()))
        kind = "article" if story else "product"
        lines.append(
            json.dumps(
                {"id": str(number), "url": f"https://s{number // 2}.example/{path}", "page_type": kind, "text": "x"}
            )
        )
    (folder / "truth.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return folder


def test_training_writes_a_model_of_the_known_features(
    labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("sklearn", "train")
    written = tmp_path / "article.json"
    assert training.main(["--data", str(labelled), "--write", str(written)]) == 0
    assert "og:type alone" in capsys.readouterr().out
    model = json.loads(written.read_text("utf-8"))
    shipped = json.loads(article.read_text(article.MODEL_FILE))
    assert set(model["weights"]) == set(shipped["weights"])
    assert model["cross_validated"]["f1"] > 0.9
    assert set(model) == set(shipped)


def test_a_directory_without_labels_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert training.main(["--data", str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
