from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.commands.search import render
from cleancrawl.sinks.embedded import EmbeddedSink
from cleancrawl.sinks.reader import EmbeddedReader


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory: Path = tmp_path_factory.mktemp("index")
    sink = EmbeddedSink(directory)
    text = "The mayor spoke first. " * 10 + "Then the budget of the harbour was passed by the whole city council."
    sink.write(
        [
            {
                "url": "https://example.com/harbour",
                "title": "A harbour for the city",
                "text": text,
                "site": "example.com",
                "language": "en",
                "published": "2026-03-01T08:00:00+01:00",
                "duplicate_of": "https://example.org/harbour",
            }
        ]
    )
    sink.close()
    return directory


def test_shows_hits(index: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["search", "budgets", "--index", str(index)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        "1. A harbour for the city\n   example.com · 2026-03-01 · en · same story as https://example.org/harbour\n   https://example.com/"
    )
    assert "Then the budget of the harbour" in " ".join(shown.split())
    assert shown.endswith("1 article for budgets\n")


def test_highlights_on_a_terminal(index: Path):
    count, hits = EmbeddedReader(index).search("council")
    shown = render(hits, count, "council", colour=True, width=40)
    assert "\033[1mcouncil\033[0m." in shown
    assert "\033" not in render(hits, count, "council", colour=False, width=40)


def test_json_for_programs(index: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["search", "council", "--index", str(index), "--json", "--since", "2026-01-01"]) == 0
    hit = json.loads(capsys.readouterr().out)
    ((start, end),) = hit["highlights"]
    assert hit["snippet"][start:end] == "council"


def test_nothing_found(index: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["search", "zebra", "--index", str(index)]) == 1
    assert capsys.readouterr().out == "nothing found for zebra\n"


@pytest.mark.parametrize(("option", "complaint"), [(["--since", "soon"], "is no date"), (["--limit", "0"], "at least")])
def test_wrong_use(index: Path, capsys: pytest.CaptureFixture[str], option: list[str], complaint: str):
    assert main(["search", "x", "--index", str(index), *option]) == 2
    assert complaint in capsys.readouterr().err


def test_no_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["search", "x", "--index", str(tmp_path / "none")]) == 1
    assert "cleancrawl sync" in capsys.readouterr().err
