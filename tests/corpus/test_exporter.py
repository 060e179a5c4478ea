from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from cleancrawl.cli import main
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.corpus import exporter as export_module
from cleancrawl.corpus import formats
from cleancrawl.corpus.exporter import Export
from cleancrawl.corpus.parquet_file import to_cell
from cleancrawl.corpus.selection import Selection, last_cursor
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Visit

EMPTY = Prints((), lambda indices: ())


def make_article(number: int) -> dict[str, Any]:
    return {
        "url": f"https://{'one' if number % 3 else 'two'}.example/{number}",
        "title": f"Number {number}",
        "text": f"The first sentence, {number}.\n- the second" + " word" * number,
        "language": "en-GB" if number % 2 else "de",
        "authors": ["Ada", "Ben"],
        "published": f"2026-{number % 12 + 1:02d}-01",
        "fetched_at": "2026-06-01T10:00:00+00:00",
        "word_count": 6 + number,
        "blocks_total": 10,
        "blocks_kept": 4,
        "removed": {"link-density": 6},
        "recipe": "default",
        "score": 0.9,
        "duplicate_of": "https://one.example/1" if number == 4 else None,
    }


def fill(url: str, count: int) -> str:
    store = open_store(url)
    for number in range(count):
        article = make_article(number)
        site = article["url"].split("/")[2]
        store.record(PageRecord(Visit(site, article["url"], 1.0), EMPTY, number, article=article))
    store.close()
    return url


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fill(f"sqlite:///{tmp_path_factory.mktemp('store') / 'articles.db'}", 25)


def export(store: str, format_name: str, out: Path, *options: str) -> Path:
    assert main(["export", store, "--format", format_name, "-o", str(out), *options]) == 0
    return out


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_changed_article_says_which_version_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    store = open_store(url)
    for number in (1, 2):
        # As a crawl records it: before it knows what the store will make of it.
        article = {**make_article(1), "title": f"Number {number}", "version": 1, "previous": None}
        store.record(PageRecord(Visit("one.example", article["url"], 1.0), EMPTY, 10 + number, article=article))
    store.close()
    (found,) = lines(export(url, "jsonl", tmp_path / "corpus.jsonl"))
    assert (found["title"], found["version"], found["previous"]) == ("Number 2", 2, f"{11:016x}")


def test_json_lines_in_the_order_of_the_outbox(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    found = lines(export(store, "jsonl", tmp_path / "deep" / "corpus.jsonl"))
    assert [article["title"] for article in found] == [f"Number {number}" for number in range(25)]
    assert found[0]["site"] == "two.example"
    assert capsys.readouterr().out.startswith("25 articles, ")


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--site", "two.example"], 9),
        (["--language", "de"], 13),
        (["--since", "2026-12-01"], 2),
        (["--min-words", "20"], 11),
        (["--no-duplicates"], 24),
        (["--site", "none.example"], 0),
    ],
)
def test_selects(store: str, tmp_path: Path, options: list[str], count: int):
    assert len(lines(export(store, "jsonl", tmp_path / "corpus.jsonl", *options))) == count


def test_csv(store: str, tmp_path: Path):
    text = export(store, "csv", tmp_path / "corpus.csv").read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 25
    assert rows[3]["text"] == make_article(3)["text"]
    assert json.loads(rows[3]["authors"]) == ["Ada", "Ben"]


def test_text_and_markdown_files(store: str, tmp_path: Path):
    texts = export(store, "text", tmp_path / "texts")
    pages = export(store, "markdown", tmp_path / "pages")
    assert len(list(texts.glob("one.example/*.txt"))) == 16
    assert any(path.read_text().startswith("Number 3\n\nThe first") for path in texts.glob("*/*.txt"))
    page = next(path.read_text() for path in pages.glob("*/*.md") if "Number 3\n" in path.read_text())
    assert page.startswith('---\ntitle: "Number 3"\n')
    assert "\n\n\\- the second" in page
    export(store, "text", texts, "--site", "two.example")
    assert not list(texts.glob("one.example/*.txt"))


def test_parquet_has_types(store: str, tmp_path: Path):
    out = export(store, "parquet", tmp_path / "corpus")
    table = pyarrow.parquet.read_table(out)
    assert table.num_rows == 25
    assert str(table.schema.field("authors").type).startswith("list<")
    assert str(table.schema.field("fetched_at").type) == "timestamp[ms, tz=UTC]"
    row = table.to_pylist()[4]
    assert (row["word_count"], row["removed"]) == (10, [("link-density", 6)])
    metadata = pyarrow.parquet.ParquetFile(out / "part-00000.parquet").metadata
    assert metadata.row_group(0).column(0).compression == "ZSTD"


def test_a_cell_of_the_wrong_type_is_empty():
    assert to_cell("word_count", "many") is None
    assert to_cell("authors", "Ada") == ["Ada"]
    assert to_cell("title", {"a": 1}) == '{"a": 1}'
    assert to_cell("fetched_at", "soon") is None


def test_the_card_says_what_is_in_the_corpus(store: str, tmp_path: Path):
    export(store, "jsonl", tmp_path / "corpus.jsonl")
    card = json.loads((tmp_path / "corpus.json").read_text())
    assert (card["articles"], card["duplicates"], card["removed"]) == (25, 1, {"link-density": 150})
    assert card["languages"] == {"de": 13, "en": 12}
    assert card["made"]["store"] == store
    page = (tmp_path / "corpus.md").read_text()
    assert "| articles | 25 |" in page
    assert "| blocks kept | 100 of 250 (40.0%) |" in page
    assert "| one.example | 16 |" in page


@pytest.mark.parametrize("format_name", ["jsonl", "csv"])
def test_standard_output_takes_the_lines_of_a_file(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_name: str
):
    expected = export(store, format_name, tmp_path / "corpus").read_bytes()
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "cleancrawl", "export", store, "--format", format_name, "-o", "-"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("-")]


def test_standard_output_is_no_directory(store: str, capsys: pytest.CaptureFixture[str]):
    assert main(["export", store, "--format", "parquet", "-o", "-"]) == 2
    assert "use jsonl or csv" in capsys.readouterr().err


def test_no_store_and_no_pyarrow_are_told(store: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch):
    assert main(["export", f"sqlite:///{tmp_path / 'none.db'}", "-o", str(tmp_path / "x")]) == 1
    assert "no store at" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["export", store, "--format", "parquet", "-o", str(tmp_path / "x")]) == 1
    assert "cleancrawl[parquet]" in capsys.readouterr().err


def test_an_empty_store_has_an_empty_corpus(tmp_path: Path):
    store = fill(f"sqlite:///{tmp_path / 'empty.db'}", 0)
    assert export(store, "jsonl", tmp_path / "corpus.jsonl").read_text() == ""
    assert "| published | unknown" in (tmp_path / "corpus.md").read_text()


class Stop(Exception):
    """An interruption."""


@pytest.mark.parametrize("format_name", ["jsonl", "csv", "parquet", "text", "markdown"])
def test_an_interrupted_export_goes_on(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_name: str):
    monkeypatch.setattr(export_module, "_CHECKPOINT", 4)
    monkeypatch.setattr(formats, "PART", 6)

    def stop_at_eighteen(_: int, seen: list[int] = []) -> None:  # noqa: B006
        seen.append(1)
        if len(seen) == 18:
            raise Stop

    outbox = open_store(store)
    broken = Export(tmp_path / "broken.out", format_name, Selection(), {})
    with pytest.raises(Stop):
        broken.run(outbox, stop_at_eighteen)
    assert broken.state_path.exists()
    counts = broken.run(outbox)
    whole = Export(tmp_path / "whole.out", format_name, Selection(), {})
    assert counts == whole.run(outbox)
    outbox.close()
    assert contents(broken.out) == contents(whole.out)
    assert not broken.state_path.exists()


def contents(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def test_another_export_is_not_continued(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for state in ('{"options": {}}', "{", '{"after": 3}'):
        (tmp_path / "corpus.unfinished.json").write_text(state)
        assert main(["export", store, "-o", str(tmp_path / "corpus.jsonl")]) == 2
        assert "another export" in capsys.readouterr().err


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_the_last_cursor(count: int):
    store = open_store("memory:")
    for number in range(count):
        article = make_article(number)
        store.record(PageRecord(Visit("s", article["url"], 1.0), EMPTY, number, article=article))
    assert last_cursor(store) == count


def test_a_killed_export_gives_the_same_bytes(tmp_path: Path):
    store = fill(f"sqlite:///{tmp_path / 'many.db'}", 1100)
    command = [sys.executable, "-m", "cleancrawl", "export", store, "-o"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    state = tmp_path / "killed.unfinished.json"
    with subprocess.Popen([*command, str(tmp_path / "killed.jsonl")], env=environment) as process:
        while process.poll() is None and not state.exists():
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    for name in ("killed", "whole"):
        subprocess.run([*command, str(tmp_path / f"{name}.jsonl")], env=environment, check=True, capture_output=True)
    assert (tmp_path / "killed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert len(lines(tmp_path / "killed.jsonl")) == 1100


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_shows_on_a_terminal_only():
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        with Progress("articles", 4, stream) as progress:
            progress.advance(2)
        assert ("2/4 articles" in stream.getvalue()) is shown
    assert progress.line(0.5).endswith("2/4 articles · 4/s")
    assert Progress("x", 0, io.StringIO()).line(0) == "░" * 30 + " 0/1 x · 0/s"
