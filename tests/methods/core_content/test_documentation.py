"""The example in docs/methods/core-content.md is what the command prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cleancrawl import clean
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


def test_the_rulings_make_a_recipe_that_keeps_the_article() -> None:
    text = DOCS.read_text("utf-8")
    (html,) = re.findall(r"```html\n(.*?)```", text, re.DOTALL)
    (source,) = re.findall(r"```python\n(# rulings.py\n.*?)```", text, re.DOTALL)
    made: dict[str, Any] = {}
    exec(compile(source, "rulings.py", "exec"), made)
    document = clean(html, recipe=made["recipe"])
    assert "The council voted for the bridge on Tuesday." in document.text
    assert {str(block.removed).partition(" (")[0] for block in document.blocks if block.removed} == {
        "primary: social-links",
        "primary: no-punctuation",
        "primary: ad-keyword",
        "primary: utility-links",
        "secondary: duplicate",
    }
