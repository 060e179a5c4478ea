"""The example in docs/methods/core-content.md is what the command prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cleancrawl.cli import main

DOCS = Path(__file__).parents[3] / "docs" / "methods" / "core-content.md"


def test_the_example_is_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = DOCS.read_text("utf-8")
    (html,) = re.findall(r"```html\n(.*?)```", text, re.DOTALL)
    (verdicts,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    page = tmp_path / "page.html"
    page.write_text(html, "utf-8")
    assert main(["clean", str(page), "--recipe", "core-content", "--why"]) == 0
    assert capsys.readouterr().out == verdicts
