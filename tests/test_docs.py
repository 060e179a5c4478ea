"""Documentation that cannot drift from the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from cleancrawl.cli import COMMANDS
from cleancrawl.crawl.addon import COMPONENTS
from cleancrawl.crawl.config import PREFIX, Config

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_table_has_every_setting_with_its_default() -> None:
    rows = dict(re.findall(rf"^\| `{PREFIX}(\w+)` \| `?([^|`]+?)`? \|", README, re.MULTILINE))
    assert {name.lower() for name in rows} == {known.name for known in fields(Config)}
    for known in fields(Config):
        shown = rows[known.name.upper()]
        assert shown in (repr(known.default).replace("'", '"'), "none", "the recipe's"), known.name
        assert known.default is None or shown not in ("none", "the recipe's"), known.name


def test_the_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "clean(html" in code]
    (tmp_path / "page.html").write_text("<title>Storm</title><p>A storm hit the coast, and nobody was hurt.</p>")
    monkeypatch.chdir(tmp_path)
    exec(
        compile(
            example.replace("open(", "__import__('pathlib').Path(").replace(', "rb").read()', ").read_bytes()"),
            "README",
            "exec",
        ),
        {},
    )


def test_the_architecture_names_every_pipeline_in_order() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    named = re.findall(r"^ (\w+Pipeline) +(\d+) ", text, re.MULTILINE)
    used = sorted(COMPONENTS["ITEM_PIPELINES"].items(), key=lambda entry: entry[1])
    assert named == [(pipeline.__name__, str(order)) for pipeline, order in used]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere_and_commands_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("http") or (page.parent / target).exists(), target
    for named in re.findall(r"\btests/[\w/]+\.py\b", text):
        assert (ROOT / named).exists(), named
    for command in re.findall(r"`(?:\$ )?cleancrawl ([a-z]+)", text):
        assert command in COMMANDS, command
