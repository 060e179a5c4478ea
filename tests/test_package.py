"""What the package promises as a package: its public names, light imports, and a wheel that works alone."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import cleancrawl
import cleancrawl.core

ROOT = Path(__file__).parents[1]


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads, in a fresh interpreter."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_public_names_are_these() -> None:
    assert sorted(cleancrawl.__all__) == cleancrawl.__all__
    assert {"Article", "Block", "Cleaner", "Document", "Page", "Recipe", "Removal", "clean"} <= set(cleancrawl.__all__)
    assert all(hasattr(cleancrawl, name) for name in cleancrawl.__all__)
    found = {name for name, value in vars(cleancrawl).items() if not isinstance(value, ModuleType)}
    assert {name for name in found if name[0] != "_"} - {"annotations"} == set(cleancrawl.__all__) - {"__version__"}


def test_the_core_knows_neither_scrapy_nor_twisted() -> None:
    names = [module.name for module in pkgutil.walk_packages(cleancrawl.core.__path__, "cleancrawl.core.")]
    assert len(names) > 20
    loaded = loaded_by("\n".join(f"import {name}" for name in names))
    assert not loaded & {"scrapy", "twisted", "sqlite3", "requests"}


def test_importing_is_light() -> None:
    loaded = loaded_by("import cleancrawl")
    assert not loaded & {"scrapy", "twisted", "requests", "tldextract", "sklearn", "sqlite3", "feedparser", "asyncio"}


def test_cleaning_a_page_needs_no_scrapy() -> None:
    loaded = loaded_by("import cleancrawl; cleancrawl.clean('<p>text</p>', url='https://a.example/').text")
    assert not loaded & {"scrapy", "twisted", "sklearn", "sqlite3"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # From a copy: a build directory left by an earlier build would end up in the wheel.
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", "scrapy.cfg"):
        shutil.copy(ROOT / name, source)
    for name in ("cleancrawl", "settings", "spiders"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (found,) = target.glob("cleancrawl-*.whl")
    return found


def test_the_wheel_has_the_data_and_nothing_of_the_project(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"cleancrawl"}
    inside = {name for name in names if name.startswith("cleancrawl/")}
    source = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cleancrawl").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert inside == source


def test_the_wheel_cleans_a_page_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    # The dependencies are those of this environment, except for the package itself.
    others = [path for path in sys.path if path.endswith("site-packages")]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(packages), str(wheel)],
        check=True,
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    page = tmp_path / "page.html"
    page.write_text("<title>Storm</title><article>" + "<p>A storm hit the coast, and nobody was hurt in it.</p>" * 5)
    code = (
        f"import sys; sys.path += {others!r}\n"
        "import cleancrawl, cleancrawl.cli\n"
        "assert 'env' in cleancrawl.__file__, cleancrawl.__file__\n"
        f"sys.exit(cleancrawl.cli.main(['clean', {str(page)!r}]))"
    )
    done = subprocess.run(
        [str(tmp_path / "env/bin/python"), "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "A storm hit the coast" in done.stdout
