"""Which part of the package imports which: the floor plan, folder by folder.

python -m cleancrawl.lab.import_graph [PACKAGE DIRECTORY]

In every folder its modules and folders are the parts. A part imports another one where anything in it does, at the top
of a module, in a function or for types only. Cycles are told, and how long the modules are.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

Graph = dict[str, set[str]]


def read_modules(root: Path) -> dict[str, Path]:
    """The Python modules of a package by dotted name; a package goes by its own name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported_modules(modules: Mapping[str, Path]) -> Graph:
    """The modules of the package that each of its modules imports."""
    return {name: set(_imports(path.read_text("utf-8"), modules)) - {name} for name, path in modules.items()}


def _imports(source: str, modules: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in modules else node.module for name in names]
        else:
            continue
        yield from (name for name in names if name in modules)


def parts_of(folder: str, imports: Graph) -> Graph:
    """What the parts of a folder import of each other; ``__init__`` is the folder's own module.

    >>> parts_of("a", {"a.x": {"a.b.y"}, "a.b.y": {"a.b.z", "a.b"}, "a.b.z": set(), "a.b": set()})
    {'x': {'b'}, 'b': set()}
    """
    graph: Graph = {}
    for name, others in imports.items():
        part = _part(folder, name)
        if part is not None:
            found = {_part(folder, other) for other in others} - {part, None}
            graph.setdefault(part, set()).update(other for other in found if other is not None)
    return graph


def _part(folder: str, name: str) -> str | None:
    if name == folder:
        return "__init__"
    return name[len(folder) + 1 :].partition(".")[0] if name.startswith(folder + ".") else None


def layers(graph: Graph) -> tuple[list[list[str]], set[str]]:
    """The parts in layers, each importing only those before it, and the parts that lie in or above a cycle.

    >>> layers({"a": {"b"}, "b": set(), "c": {"d"}, "d": {"c"}})[1] == {"c", "d"}
    True
    >>> layers({"a": {"b"}, "b": set()})
    ([['b'], ['a']], set())
    """
    left, found = dict(graph), []
    while ready := sorted(part for part, others in left.items() if not others & left.keys()):
        found.append(ready)
        for part in ready:
            del left[part]
    return found, set(left)


def folders(imports: Graph) -> list[str]:
    """All folders of the package, by their dotted names."""
    return sorted({name.rpartition(".")[0] for name in imports} - {""})


def report(root: Path) -> str:
    """The floor plan as text."""
    modules = read_modules(root)
    imports = imported_modules(modules)
    lines = []
    cycles = 0
    for folder in folders(imports):
        graph = parts_of(folder, imports)
        found, stuck = layers(graph)
        lines.append(f"\n{folder.replace('.', '/')}/")
        for layer in found:
            lines += [f"  {part:24} → {', '.join(sorted(graph[part])) or '-'}" for part in layer]
        for part in sorted(stuck):
            lines.append(f"  {part:24} → {', '.join(sorted(graph[part]))}   (cycle)")
        cycles += bool(stuck)
    sizes = {name: len(path.read_text("utf-8").splitlines()) for name, path in modules.items()}
    longest = max(sizes, key=sizes.__getitem__)
    twice = [f"{name} ({count})" for name, count in sorted(_names(root).items()) if count > 1]
    lines += [
        "",
        f"{len(modules)} modules in {len(folders(imports))} folders, {cycles} folders with a cycle",
        f"lines per module: median {median(sizes.values()):.0f}, most {sizes[longest]} ({longest})",
        f"file names that occur more than once: {', '.join(twice) or 'none'}",
    ]
    return "\n".join(lines).lstrip("\n")


def _names(root: Path) -> Counter[str]:
    return Counter(path.name for path in root.rglob("*.py") if path.name not in ("__init__.py", "__main__.py"))


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).parents[1]
    print(report(root))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
