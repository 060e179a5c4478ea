from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.error_kinds import Kinds, false_lines, kind_of, lost_lines, report, unwanted_lines
from tests.lab.bench.conftest import ARTICLE, PAGES, SECOND

GOLD = f"Heading\n\n{ARTICLE}\n\n{SECOND}"


def test_a_right_text_has_no_wrong_lines() -> None:
    assert false_lines(GOLD, GOLD) == lost_lines(GOLD, GOLD) == []


def test_false_lines_by_words_by_copy_and_by_place() -> None:
    above, between = "A teaser that stands above the story.", "One wholly invented paragraph, put in."
    text = "\n".join([above, ARTICLE, ARTICLE, between, SECOND, "See also", "End"])
    kinds = [kind for kind, _ in false_lines(text, GOLD)]
    assert kinds == [
        "short line before the start",
        "duplicate",
        "short line",
        "related",
        "short line after the end",
    ]


def test_lost_lines() -> None:
    assert lost_lines(SECOND, GOLD) == [("short line", 1), ("paragraph", 31)]
    assert false_lines("", GOLD) == []
    assert [kind for kind, _ in false_lines("Nothing of it is right", "")] == ["short line"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Leave a reply", "comments"),
        ("Foto: A. Brook", "credit"),
        ("von Ada Brook", "byline"),
        ("Das Buch wurde von ihr geschrieben, sagt sie selbst gern.", "paragraph"),
        ("© 2026 The Mill", "copyright"),
        ("Shares fell on Monday after the news, and rose again later.", "paragraph"),
        ("a row of words without any end to it at all", "unfinished line"),
    ],
)
def test_kinds(line: str, kind: str) -> None:
    assert kind_of(line) == kind


def test_snippets_name_the_line_that_holds_them() -> None:
    assert unwanted_lines("Fine.\nSign up  for our newsletter today", ["for our newsletter", "absent"]) == [
        ("newsletter", 6)
    ]


def test_shares_are_means_over_pages() -> None:
    kinds = Kinds()
    kinds.add([("related", 10)], 100)
    kinds.add([], 50)
    row = kinds.table("false text").splitlines()[2]
    assert [cell.strip() for cell in row.split("|")[1:-1]] == ["related", "1.000", ".050", "10", "1"]


def test_the_report_reads_recipes_and_texts(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (texts,) = load_sets(data, ["texts"])
    perfect = report(texts.pages, "", {page_id: gold for page_id, (_, gold) in PAGES.items()})
    assert [line.split("|")[1].strip() for line in perfect.splitlines() if line] == [
        *("false text", "-" * 10, "all", "lost text", "-" * 9, "all")
    ]
    made = tmp_path / "made.json"
    made.write_text(json.dumps({"texts/0001": "Share this article", "0002": "Sport"}))
    assert main(["bench", "--data", str(data), "--errors", "--texts", str(made)]) == 0
    output = capsys.readouterr().out
    assert "## snippets: made, 3 pages" in output
    assert "sharing" in output
    assert main(["bench", "--data", str(data), "--set", "texts", "--errors"]) == 0
    assert "## texts: default, 3 pages" in capsys.readouterr().out
