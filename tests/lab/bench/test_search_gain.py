"""Known items and words of boilerplate in an index of raw pages, of cleaned ones and of gold texts."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from cleancrawl.lab.bench import search_gain
from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.commands.bench import add_arguments
from cleancrawl.lab.commands.bench import run as run_bench
from tests.extras import needs

PLACES = "harbour library orchard railway mountain brewery stadium cathedral windmill lighthouse market museum".split()
needs("tantivy", "search")


def pages(directory: Path) -> Path:
    """Twelve articles under one menu; one of them is about subscriptions, which all the menus name."""
    (directory / "html").mkdir(parents=True)
    lines = []
    for number, place in enumerate(PLACES):
        text = f"The old {place} of the town opens again on Sunday, and the mayor of the town will speak there."
        if not number:
            text += "\nEveryone who wants to subscribe to the concerts may do so at the door of the hall."
        title = f"The {place} of the town opens again"
        menu = "<ul><li>Subscribe</li><li>Imprint</li></ul>"
        body = "".join(f"<p>{line}</p>" for line in text.splitlines())
        (directory / "html" / f"{number:02}.html").write_text(f"<title>{title}</title>{menu}<h1>{title}</h1>{body}")
        record = {"id": f"{number:02}", "url": f"https://{place}.example/", "title": title, "text": text}
        lines.append(json.dumps(record))
    (directory / "truth.jsonl").write_text("\n".join(lines))
    return directory


def cells(table: str, row: str) -> dict[str, str]:
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    found = next(line for line in lines if line[0].startswith(row))
    return dict(zip(lines[0], found, strict=True))


def test_words_of_boilerplate_find_it_in_raw_pages_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_gain, "_MOSTLY", 2)
    loaded = load_sets(pages(tmp_path))[0].pages
    texts = {page.key: page.text or "" for page in loaded}
    table = search_gain.report(loaded, "default", texts)
    assert "12 title queries, 12 sentence queries, 1 noise words, 1 words of boilerplate alone" in table
    raw, cleaned = cells(table, "raw page"), cells(table, "cleaned (default, out of fold)")
    noise, alone = "noise words: precision@10", "words of boilerplate alone: hits@10"
    assert (float(raw[noise]), float(raw[alone])) == (pytest.approx(0.1), 10)
    assert (float(cleaned[noise]), float(cleaned[alone])) == (1, 0)
    assert float(cleaned["title: MRR"]) == 1
    assert int(cleaned["words"]) < int(raw["words"])


def test_texts_out_of_fold_are_judged_in_the_search_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded = load_sets(pages(tmp_path / "set"))[0].pages
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps({page.key: "nothing" for page in loaded}))
    parser = ArgumentParser()
    add_arguments(parser)
    given = ["--data", str(tmp_path / "set"), "--search", "--out-of-fold", str(texts)]
    assert run_bench(parser.parse_args(given)) == 0
    # The seven words of each title, and that one.
    assert cells(capsys.readouterr().out, "cleaned (default, out of fold)")["words"] == "96"
