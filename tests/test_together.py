"""The groups of tests name what is there, and pytest knows of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.together import GROUPS, TogetherScheduling, group_of

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("start", GROUPS)
def test_every_beginning_names_tests(start: str) -> None:
    file, _, name = start.partition("::")
    assert f"\ndef {name or 'test_'}" in (ROOT / file).read_text("utf-8")
    assert group_of(f"{start}_and_more[x@y]") == GROUPS[start]


def test_no_group_is_told_by_a_marker_that_has_no_effect() -> None:
    marker = "mark." + "xdist_group"
    assert [path.name for path in (ROOT / "tests").rglob("*.py") if marker in path.read_text("utf-8")] == []


def test_this_run_is_scheduled_by_them(request: pytest.FixtureRequest) -> None:
    manager = request.config.pluginmanager
    found = [plugin for plugin in manager.get_plugins() if hasattr(plugin, "pytest_xdist_make_scheduler")]
    assert any(plugin.pytest_xdist_make_scheduler.__module__ == TogetherScheduling.__module__ for plugin in found)
