"""What a store costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.lab.bench.store_cost import main


def test_bench(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["memory:", f"sqlite:///{tmp_path / 'b.db'}", "--most", "1000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["`memory`", "`sqlite`", "`index`"]
