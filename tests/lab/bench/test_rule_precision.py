from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.rule_precision import tally_rules


def test_rules_are_judged_by_the_gold_text(data: Path) -> None:
    pages = [page for found in load_sets(str(data), ("texts",)) for page in found.pages]
    tallies = tally_rules(pages, "core-content")
    # One block holds the whole page, and its link to the privacy policy removes it: mostly gold.
    assert set(tallies) == {"primary: utility-links"}
    tally = tallies["primary: utility-links"]
    assert (tally.pages, tally.blocks) == (len(pages), len(pages))
    assert tally.precision is not None
    assert 0 < tally.precision < 0.5


def test_rules_are_a_report_of_the_command(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--data", str(data), "--recipes", "core-content", "--rules"]) == 0
    assert "primary: utility-links" in capsys.readouterr().out
