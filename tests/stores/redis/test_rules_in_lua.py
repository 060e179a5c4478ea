"""What is decided both here and in the server names its other half."""

from __future__ import annotations

import re
from pathlib import Path

from cleancrawl.stores import page_rules
from cleancrawl.stores.redis import redis_server

SCRIPTS = sorted((Path(redis_server.__file__).parent / "lua").glob("*.lua"))


def test_rules_and_scripts_name_each_other() -> None:
    python = Path(page_rules.__file__).read_text("utf-8")
    from_python = {(script, rule) for script, rule in re.findall(r"# Also in lua/(\w+)\.lua.*\n(?:def )?(\w+)", python)}
    from_lua = {
        (path.stem, rule) for path in SCRIPTS for rule in re.findall(r"Also page_rules\.(\w+)", path.read_text("utf-8"))
    }
    assert from_python == from_lua
    assert len(from_python) >= 10
    assert all(hasattr(page_rules, rule) for _, rule in from_lua)


def test_scripts_get_the_thresholds_from_the_rules() -> None:
    text = redis_server.script_text("seen")
    for name in redis_server.THRESHOLDS:
        assert f"local {name} = {getattr(page_rules, name)!r}\n" in text
        assert any(re.search(rf"\b{name}\b", path.read_text("utf-8")) for path in SCRIPTS), name
