from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.lab.bench.comparison import as_json, breakdowns, main_table, worst_table
from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.peers import Extractor, Source, bare_parse
from cleancrawl.lab.bench.plot import points, save_plot
from cleancrawl.lab.bench.runner import Results, progress, run
from tests.extras import needs
from tests.lab.bench.conftest import PAGES


def gold_of(source: Source) -> str:
    return next(gold for html, gold in PAGES.values() if html == source.html)


def half_of(source: Source) -> str:
    gold = gold_of(source)
    return gold[: len(gold) // 2]


def failing(source: Source) -> str:
    raise ValueError("no article")


EXTRACTORS = [
    Extractor("ours", "recipe", "1", half_of),
    Extractor("trafilatura", "peer", "2", gold_of),
    Extractor("broken", "peer", "3", failing),
    bare_parse(),
]


def results_of(data: Path, name: str) -> Results:
    (found,) = load_sets(data, [name])
    texts = {"elsewhere": {page.id: page.text or "" for page in found.pages}}
    return run(progress(found.pages, name), EXTRACTORS, texts)


def test_every_extractor_meets_every_page(data: Path) -> None:
    results = results_of(data, "texts")
    assert [page.id for page in results.pages] == ["0001", "0002", "0003"]
    assert results.languages == ["en"] * 3
    assert {name: len(outcomes) for name, outcomes in results.outcomes.items()} == dict.fromkeys(
        ["ours", "trafilatura", "broken", "lxml parse", "elsewhere"], 3
    )
    assert all(outcome.error == "ValueError: no article" for outcome in results.outcomes["broken"])
    assert results.outcomes["elsewhere"][0].seconds is None
    assert results.names("peer") == ["trafilatura", "broken"]
    assert len(results.select([1]).outcomes["ours"]) == 1


def test_the_table_names_errors_and_ratios(data: Path) -> None:
    table = main_table(results_of(data, "texts"))
    header, _, *rows = table.splitlines()
    cells = {row.split("|")[1].strip(): [cell.strip() for cell in row.split("|")[2:-1]] for row in rows}
    titles = [cell.strip() for cell in header.split("|")[2:-1]]
    assert titles[-1] == "errors"
    assert cells["broken"][-1] == "3"
    assert cells["trafilatura"][titles.index("F1")] == "1.000 ± .000"
    assert cells["trafilatura"][titles.index("wholly right")] == "1.000"
    assert cells["elsewhere"][titles.index("ms/page")] == "–"
    assert cells["lxml parse"][titles.index("× lxml parse")] == "1.0 ×"


def test_breakdowns_need_pages_that_differ(data: Path) -> None:
    (by_type,) = breakdowns(results_of(data, "texts"))
    assert by_type.startswith("By page type: word F1")
    assert "article (2) | service (1)" in by_type
    snippets = results_of(data, "snippets")
    assert "words P" not in main_table(snippets)
    assert "snippets found / avoided" in breakdowns(snippets)[0]


@pytest.mark.parametrize("name", ["texts", "snippets"])
def test_worst_pages_first(data: Path, name: str) -> None:
    table = worst_table(results_of(data, name), "ours", 2).splitlines()
    assert table[0].startswith("| page")
    if name == "texts":
        assert len(table) == 4
        assert all("trafilatura" in row for row in table[2:])


def test_json_has_each_page(data: Path) -> None:
    record = as_json(results_of(data, "texts"))["trafilatura"]
    assert record["summary"]["word"] == (1.0, 1.0, 1.0)
    assert record["pages"]["texts/0001"]["found"] == [1, 1]
    assert record["version"] == "2"


@pytest.mark.parametrize("name", ["texts", "snippets"])
def test_the_plot_shows_recipes_and_peers(data: Path, tmp_path: Path, name: str) -> None:
    needs("matplotlib", "bench")
    results = results_of(data, name)
    for outcomes in results.outcomes.values():
        outcomes[:] = [type(outcome)(outcome.score, 0.002, outcome.error) for outcome in outcomes]
    assert [(mark[0], mark[2]) for mark in points(results)] == [
        ("ours", 500.0),
        ("trafilatura", 500.0),
        ("broken", 500.0),
    ]
    save_plot({"one": results, "two": results}, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
