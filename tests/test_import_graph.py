"""The floor plan of the package: who may import whom."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from cleancrawl.lab.import_graph import Graph, folders, imported_modules, layers, parts_of, read_modules

PACKAGE = Path(__file__).parents[1] / "cleancrawl"


@pytest.fixture(scope="module")
def modules() -> dict[str, Path]:
    return read_modules(PACKAGE)


@pytest.fixture(scope="module")
def imports(modules: dict[str, Path]) -> Graph:
    return imported_modules(modules)


def cycles(imports: Graph) -> dict[str, set[str]]:
    """The folders with a cycle, and their parts that lie in it or above it."""
    found = {folder: layers(parts_of(folder, imports))[1] for folder in folders(imports)}
    return {folder: parts for folder, parts in found.items() if parts}


def imported_by(folder: str, imports: Graph) -> set[str]:
    """What the modules of a folder import from outside it."""
    inside = {name for name in imports if name == folder or name.startswith(folder + ".")}
    return {other for name in inside for other in imports[name]} - inside


def repeated(root: Path) -> set[str]:
    names = Counter(path.name for path in root.rglob("*.py"))
    return {name for name, count in names.items() if count > 1} - {"__init__.py", "__main__.py"}


def relative(source: str) -> bool:
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(ast.parse(source)))


def test_no_folder_has_a_cycle(imports: Graph) -> None:
    assert cycles(imports) == {}


def test_the_core_stands_on_its_own(imports: Graph) -> None:
    below = {name.split(".")[1] for name in imported_by("cleancrawl.core", imports)}
    assert below <= {"errors", "data"}


def test_the_lab_is_not_needed(imports: Graph) -> None:
    lab = {name for name in imports if name.startswith("cleancrawl.lab")}
    users = {name for name, others in imports.items() if others & lab} - lab
    assert lab
    assert users == set()


def test_every_file_has_a_name_of_its_own() -> None:
    assert repeated(PACKAGE) == set()


def test_imports_are_written_in_full(modules: dict[str, Path]) -> None:
    """The graph knows no others."""
    assert [name for name, path in modules.items() if relative(path.read_text("utf-8"))] == []


HOUSE = {
    "house/__init__.py": "",
    "house/cellar.py": "",
    "house/kitchen/__init__.py": "from house.cellar import wine",
    "house/kitchen/stove.py": "def cook():\n    from house.kitchen.table import plate",
    "house/kitchen/table.py": "",
    "house/garden.py": "import house.kitchen.stove",
}


def built(place: Path, changed: dict[str, str]) -> Path:
    for name, source in {**HOUSE, **changed}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(source)
    return place / "house"


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, {}),
        ({"house/kitchen/table.py": "import house.kitchen.stove"}, {"house.kitchen": {"stove", "table"}}),
        # In a function, for types only, and by way of a folder.
        ({"house/cellar.py": "def rest():\n    from house import garden"}, {"house": {"cellar", "garden", "kitchen"}}),
        (
            {"house/cellar.py": "if TYPE_CHECKING:\n    from house.kitchen.table import plate"},
            {"house": {"cellar", "kitchen", "garden"}},
        ),
    ],
)
def test_a_cycle_is_found(changed: dict[str, str], found: dict[str, set[str]], tmp_path: Path) -> None:
    assert cycles(imported_modules(read_modules(built(tmp_path, changed)))) == found


def test_other_faults_are_found(tmp_path: Path) -> None:
    root = built(tmp_path, {"house/kitchen/cellar.py": ""})
    imports = imported_modules(read_modules(root))
    assert imported_by("house.kitchen", imports) == {"house.cellar"}
    assert repeated(root) == {"cellar.py"}
    assert relative("from . import garden")
    assert not relative("from house import garden")
