"""What is decided both here and in the server names its other half."""

from __future__ import annotations

import re
from pathlib import Path

from cleancrawl.stores import page_rules, version_rules
from cleancrawl.stores.redis import redis_server

RULES = (page_rules, version_rules)
SCRIPTS = sorted((Path(redis_server.__file__).parent / "lua").glob("*.lua"))


def test_rules_and_scripts_name_each_other() -> None:
    from_python = {
        (script, module.__name__.rpartition(".")[2], rule)
        for module in RULES
        for script, rule in re.findall(
            r"# Also in lua/(\w+)\.lua.*\n(?:def )?(\w+)", Path(str(module.__file__)).read_text("utf-8")
        )
    }
    from_lua = {
        (path.stem, *named)
        for path in SCRIPTS
        for named in re.findall(r"Also (\w+_rules)\.(\w+)", path.read_text("utf-8"))
    }
    assert from_python == from_lua
    assert len(from_python) >= 10
    assert all(any(hasattr(module, rule) for module in RULES) for *_, rule in from_lua)


def test_scripts_get_the_thresholds_from_the_rules() -> None:
    text = redis_server.script_text("seen")
    for name in redis_server.THRESHOLDS:
        assert f"local {name} = {getattr(page_rules, name)!r}\n" in text
        assert any(re.search(rf"\b{name}\b", path.read_text("utf-8")) for path in SCRIPTS), name
