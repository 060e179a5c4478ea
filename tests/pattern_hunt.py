"""Every regular expression of the package, with how it is used: run as a module, it prints them as JSON.

``re`` is watched while all modules are imported, cached patterns are asked for and pages are cleaned, so a pattern is
found wherever it is kept: in a global, a class, a container, a cache or nowhere.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1] / "cleancrawl"
_METHODS = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "scanner"})

_CALLS = frozenset(f"re.{name}" for name in (*_METHODS, "compile"))


def watch() -> dict[tuple[str, int, str | bytes, int], None]:
    """All patterns that the package compiles from now on: file, line, pattern, flags."""
    found: dict[tuple[str, int, str | bytes, int], None] = {}
    original = re._compile  # type: ignore[attr-defined]

    def watched(pattern: Any, flags: Any) -> Any:
        frame = inspect.currentframe()
        while frame is not None and frame.f_code.co_filename in (__file__, re.__file__):
            frame = frame.f_back
        if frame is not None and frame.f_code.co_filename.startswith(str(PACKAGE)):
            made = original(pattern, flags)
            found[(frame.f_code.co_filename, frame.f_lineno, made.pattern, made.flags)] = None
        return original(pattern, flags)

    re._compile = watched  # type: ignore[attr-defined]
    return found


def import_everything() -> list[Any]:
    """All modules of the package; what needs an extra that is not installed is left out."""
    import cleancrawl

    modules = []
    for info in pkgutil.walk_packages(cleancrawl.__path__, "cleancrawl."):
        if not info.name.endswith("__main__"):
            try:
                modules.append(importlib.import_module(info.name))
            except ImportError as error:
                print(f"left out: {error}", file=sys.stderr)
    return modules


def ask_caches(modules: list[Any]) -> None:
    """Call all cached functions that take nothing: patterns of word lists are made in them."""
    for module in modules:
        for value in list(vars(module).values()):
            if hasattr(value, "cache_info") and not inspect.signature(value).parameters:
                value()


def clean_something() -> None:
    from cleancrawl import clean
    from cleancrawl.lab.fuzz.seeds import PAGE
    from cleancrawl.recipes import RECIPES

    for name in RECIPES:
        document = clean(PAGE, url="https://news.example/2024/05/03/a", recipe=name, comments=name == "default")
        assert document.metadata, document.markdown and document.html and document.comments


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text())


def methods_of(path: str, line: int) -> list[str]:
    """The methods by which the pattern of a line is used in its module; all where that cannot be told."""
    names = {"re"}
    for node in ast.walk(_tree(path)):
        if getattr(node, "lineno", line + 1) <= line <= (getattr(node, "end_lineno", None) or 0):
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            elif isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.AST):
                names |= {node.name} if "Pattern" in ast.unparse(node.returns) else set()
    used = set(_uses(_tree(path), names, line))
    return sorted(used) if used else ["match", "fullmatch", "finditer"]


def _uses(tree: ast.Module, names: set[str], line: int) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS:
            root: ast.AST = node.value
            while isinstance(root, (ast.Call, ast.Subscript)):
                root = root.func if isinstance(root, ast.Call) else root.value
            # ``re.sub`` is a use of the pattern in the same line.
            if isinstance(root, ast.Name) and root.id in names and (root.id != "re" or root.lineno == line):
                yield node.attr


def written_out(modules: list[Any]) -> Iterator[tuple[str, int, str | bytes, int]]:
    """Patterns that stand in the source as they are: those in functions that nothing here has called."""
    for path in {module.__file__ for module in modules if module.__file__.endswith(".py")}:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {
                f"re.{name}" for name in (*_METHODS, "compile")
            }:
                pattern = node.args[0]
                if isinstance(pattern, ast.Constant):
                    yield path, node.lineno, pattern.value, re.compile(pattern.value).flags


def main() -> None:
    found = watch()
    modules = import_everything()
    ask_caches(modules)
    clean_something()
    seen = {(path, pattern) for path, _, pattern, _ in found}
    found |= dict.fromkeys(entry for entry in written_out(modules) if (entry[0], entry[2]) not in seen)
    shown = [
        {
            "place": f"{Path(path).relative_to(PACKAGE)}:{line}",
            "pattern": pattern if isinstance(pattern, str) else pattern.decode("latin-1"),
            "binary": isinstance(pattern, bytes),
            "flags": flags,
            "methods": methods_of(path, line),
        }
        for path, line, pattern, flags in found
    ]
    print(json.dumps(shown))


if __name__ == "__main__":
    main()
