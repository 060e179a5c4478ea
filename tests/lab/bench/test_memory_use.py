from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.bench import memory_use as memory


def test_memory_is_read_ten_times(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--data", str(data), "--set", "texts", "--memory", "20"]) == 0
    rows = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines()[4:]]
    assert rows == [str(2 * step) for step in range(11)]


def test_without_proc_the_peak_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_STATM", Path("/nowhere"))
    assert memory.resident_megabytes() > 1
    monkeypatch.setattr(memory.sys, "platform", "darwin")
    assert memory.resident_megabytes() > 0
