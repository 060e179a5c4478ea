from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.near_duplicates import DETECTORS, EDITS, judge, make_pairs
from cleancrawl.lab.bench.paper_tables import report
from cleancrawl.lab.bench.sample_sites import sample_site


@pytest.fixture
def pages(tmp_path: Path) -> list[GoldPage]:
    found = []
    for number, (_, html) in enumerate(sample_site(40, 2)):
        path = tmp_path / f"{number}.html"
        path.write_text(html.replace(".</p><p>", ", "), encoding="utf-8")
        text = html.split("<h1>")[1].split("<ul>")[0].replace("</h1>", "\n").replace("</p>", "").replace("<p>", "")
        found.append(GoldPage("sample", str(number), path, f"https://example.org/{number}", "article", text=text))
    return found


def test_all_three_tables_are_printed_with_the_papers_figures(pages: list[GoldPage]) -> None:
    printed = report(pages[:4], "line-block")
    assert [line for line in printed.splitlines() if line.startswith("###")] == [
        "### Primary noise removal, 4 pages",
        "### Secondary noise removal: 4 edited pairs of blocks, 4 different ones",
        "### Core content, 4 pages",
    ]
    assert "92.72" in printed
    assert "88.28" in printed
    assert "93.33 % of pages right" in printed


def test_pairs_are_made_the_same_way_every_time(pages: list[GoldPage]) -> None:
    pairs = make_pairs(pages)
    assert pairs == make_pairs(pages)
    assert {pair.edit for pair in pairs} == {*EDITS, None}


@pytest.mark.parametrize("name", DETECTORS)
def test_detectors_tell_edited_blocks_from_different_ones(pages: list[GoldPage], name: str) -> None:
    verdict = judge(DETECTORS[name][0], make_pairs(pages))
    assert verdict.f1 > 0.7
    assert verdict.by_edit[0] >= verdict.by_edit[-1]
