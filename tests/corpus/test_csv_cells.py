"""A page cannot put a formula into a spreadsheet, nor choose a file name that is too long."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.core.article import Article
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.corpus.csv_cells import harmless
from cleancrawl.corpus.file_names import LONGEST, file_name
from cleancrawl.crawl.output.feed_formats import HarmlessCsvItemExporter
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Visit

FORMULAS = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1"]
LONG_SITE = "ü" * 240 + ".example"


@pytest.mark.parametrize("cell", FORMULAS)
def test_formulas_are_made_harmless(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "a", "1", "2024-05-03", "https://a.example/=1", '["=1"]', "a\n=1"])
def test_all_else_stays(cell: str) -> None:
    assert harmless(cell) == cell


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('cells') / 'store.db'}"
    filled = open_store(url)
    for number, title in enumerate(FORMULAS):
        page = f"https://a.example/{number}"
        article = {"url": page, "title": title, "text": "=A1\nmore", "authors": ["=A"], "word_count": 2}
        visit = Visit(LONG_SITE, page, 1.0)
        filled.record(PageRecord(visit, Prints((), lambda indices: ()), number, article={**article, "site": LONG_SITE}))
    filled.close()
    return url


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_an_export(store: str, tmp_path: Path) -> None:
    assert main(["export", store, "--format", "csv", "-o", str(tmp_path / "a.csv")]) == 0
    assert [row["title"] for row in rows(tmp_path / "a.csv")] == [f"'{title}" for title in FORMULAS]
    assert {(row["text"], row["authors"], row["word_count"]) for row in rows(tmp_path / "a.csv")} == {
        ("'=A1\nmore", '["=A"]', "2")
    }


def test_a_raw_export(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", store, "--format", "csv", "--raw-cells", "-o", str(tmp_path / "a.csv")]) == 0
    assert [row["title"] for row in rows(tmp_path / "a.csv")] == FORMULAS
    assert main(["export", store, "--format", "jsonl", "--raw-cells", "-o", str(tmp_path / "a.jsonl")]) == 2
    assert "--raw-cells goes with --format csv, not jsonl" in capsys.readouterr().err


@pytest.mark.parametrize(("raw", "expected"), [(False, "'=1"), (True, "=1")])
def test_a_feed(raw: bool, expected: str) -> None:
    file = io.BytesIO()
    exporter = HarmlessCsvItemExporter(file, raw_cells=raw, fields_to_export=["title", "authors", "word_count"])
    exporter.start_exporting()
    exporter.export_item(Article(url="https://a.example/", title="=1", authors=["-A", "B"], word_count=3))
    exporter.stream.flush()
    exporter.finish_exporting()
    row = file.getvalue().decode().splitlines()[1]
    assert row.split(",", 1)[0] == expected
    assert row.endswith(",3")


def test_names_are_bounded_in_bytes(store: str, tmp_path: Path) -> None:
    assert len(file_name(LONG_SITE).encode()) <= LONGEST
    assert main(["export", store, "--format", "text", "-o", str(tmp_path / "texts")]) == 0
    assert [path.name for path in (tmp_path / "texts").iterdir()] == [file_name(LONG_SITE)]
    assert len(list((tmp_path / "texts").glob("*/*.txt"))) == len(FORMULAS)
