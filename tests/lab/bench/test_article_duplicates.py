from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.bench import look_up_growth as growth
from cleancrawl.lab.bench.article_duplicates import same_topic
from cleancrawl.lab.bench.edited_texts import BEYOND, TAIL, UP_TO_A_TENTH, cut_lead, drop_sentences


def story(topic: str, seed: int) -> str:
    chance = Random(seed)
    return " ".join(
        f"{topic} {chance.randrange(900)} was seen by {chance.randrange(900)} people at noon." for _ in range(40)
    )


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    texts = [story("Whale", 1), story("Whale", 2), story("Comet", 3), story("Whale", 1) + " And more.", "Too short."]
    (tmp_path / "html").mkdir()
    lines = []
    for number, text in enumerate(texts):
        (tmp_path / "html" / f"{number}.html").write_text(f"<html lang=en><p>{text}</p>")
        record = {
            "id": str(number),
            "url": f"https://s{number}.com/",
            "text": text,
            "title": f"The story of {text[:20]}",
        }
        lines.append(json.dumps(record))
    (tmp_path / "truth.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_copies_are_found_and_others_left_alone(stories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--data", str(stories), "--duplicates"]) == 0
    shown = capsys.readouterr().out
    assert "\n\n3 articles; 1 more are copies" in shown
    assert "| agency line added | 3 | 3 | 0 | 1.000 |" in shown
    assert "recall 1.0000, precision 1.0000" in shown
    assert all(name in shown for name in UP_TO_A_TENTH | BEYOND)


def test_edits_do_what_they_say() -> None:
    text = "One is here.\nTwo is here. Three is here.\n" + "More is here. " * 27
    assert drop_sentences(0.1)(text, Random(1)).count("here") == 27
    assert cut_lead(text, Random(1)).startswith("More is here.")
    assert UP_TO_A_TENTH["boilerplate tail added"](text, Random(1)).endswith(TAIL)
    assert UP_TO_A_TENTH["headline changed"](text, Random(1)).endswith(text.partition("\n")[2])
    assert UP_TO_A_TENTH["headline changed"]("One line only", Random(1)).endswith("\nOne line only")
    assert cut_lead("Only one sentence.", Random(1)) == "Only one sentence."


def test_neighbours_share_a_topic() -> None:
    topics = ["whale boat sea", "whale sea harbour", "comet sky star", "star comet night"]
    assert {(0, 1), (2, 3)} <= set(same_topic(topics))


def test_growth(stories: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "_CHUNK", 100)
    assert main(["bench", "--data", str(stories), "--growth", "300"]) == 0
    rows = [line.split(" | ")[:2] for line in capsys.readouterr().out.splitlines()[4:]]
    assert rows == [["| 300", "SQLite"], ["| 300", "memory"]]


def test_search_in_raw_and_cleaned_pages(stories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--data", str(stories), "--search", "--recipes", "line-block"]) == 0
    shown = capsys.readouterr().out
    assert "\n\n5 pages; 5 title queries, 4 sentence queries" in shown
    assert "| gold text | " in shown
    assert "| cleaned (line-block) | " in shown
