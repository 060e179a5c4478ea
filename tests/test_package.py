"""What the package promises as a package: its public names, light imports, and a wheel that works alone."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import cleancrawl
import cleancrawl.core
from cleancrawl.core.native import PARTS

ROOT = Path(__file__).parents[1]
PAGE = (
    "<title>Storm</title><nav><a href=/>Home</a> <a href=/>Subscribe to our newsletter</a></nav><article>"
    + "<p>A storm hit the coast – and nobody was hurt in it, said the “harbour master”.</p>" * 5
    + "<p>Read also: The Größe of storms</p></article><footer>© 2026, all rights reserved</footer>"
)


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


COMPILES = shutil.which("cc") is not None and Path(sysconfig.get_path("include"), "Python.h").is_file()
EXTENSIONS = {f"cleancrawl/core/native/{part}{sysconfig.get_config_var('EXT_SUFFIX')}" for part in PARTS}
WAYS = {
    "compiled": {},
    "pure": {"CLEANCRAWL_PURE": "1"},
    "no compiler": {"CC": "/bin/false"},
}
"""What the environment says while a wheel is built."""
needs_compiler = pytest.mark.skipif(not (COMPILES and PARTS), reason="no C compiler, no headers or no parts")


class Built:
    """A source distribution, the wheel that was built from it, and what was said meanwhile."""

    def __init__(self, source: Path, target: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
        inherited = {key: value for key, value in os.environ.items() if key not in ("CC", "CLEANCRAWL_PURE")}
        done = subprocess.run(
            command, env={**inherited, **environment}, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.said = (done.stdout + done.stderr).splitlines()
        (self.wheel,) = target.glob("cleancrawl-*.whl")
        (self.sdist,) = target.glob("cleancrawl-*.tar.gz")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy: a build directory left by an earlier build would end up in the wheel.
    copy = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "scrapy.cfg"):
        shutil.copy(ROOT / name, copy)
    for name in ("cleancrawl", "settings", "spiders"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    return copy


@pytest.fixture(scope="module", params=[pytest.param("compiled", marks=needs_compiler), "pure", "no compiler"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def built(source: Path, way: str, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(source, tmp_path_factory.mktemp("dist"), WAYS[way])


def files_of_the_package() -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cleancrawl").rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".so")
    }


def test_the_wheel_has_the_data_and_nothing_of_the_project(built: Built, way: str) -> None:
    names = zipfile.ZipFile(built.wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"cleancrawl"}
    inside = {name for name in names if name.startswith("cleancrawl/")}
    assert inside == files_of_the_package() | (EXTENSIONS if way == "compiled" else set())


def test_the_wheel_fits_the_platforms_that_it_says(built: Built, way: str) -> None:
    assert built.wheel.name.endswith("-py3-none-any.whl") is (way != "compiled")


def test_one_line_says_what_was_not_built(built: Built, way: str) -> None:
    said = [line for line in built.said if "works without these compiled parts" in line]
    assert len(said) == (1 if PARTS and way != "compiled" else 0)


def test_the_source_distribution_has_what_a_wheel_is_built_from(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert files_of_the_package() <= inside
    assert not [name for name in inside if name.endswith((".so", ".c"))]


def test_building_leaves_nothing_beside_the_sources(built: Built, source: Path) -> None:
    assert not [path for path in (source / "cleancrawl").rglob("*") if path.suffix in (".so", ".c")]


def test_the_wheel_cleans_a_page_in_a_fresh_environment(built: Built, way: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    # The dependencies are those of this environment, except for the package itself.
    others = [path for path in sys.path if path.endswith("site-packages")]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(packages), str(built.wheel)],
        check=True,
    )
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PYTHON") and key != "CLEANCRAWL_PURE"
    }
    page = tmp_path / "page.html"
    page.write_text(PAGE, "utf-8")
    code = (
        f"import sys; sys.path += {others!r}\n"
        "import cleancrawl, cleancrawl.cli\n"
        "from cleancrawl.core.native import in_use\n"
        "assert 'env' in cleancrawl.__file__, cleancrawl.__file__\n"
        "print(in_use())\n"
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
    used, _, text = done.stdout.partition("\n")
    assert used.startswith("compiled: " if way == "compiled" else "pure Python")
    assert text == cleancrawl.clean(PAGE).text + "\n"
    assert "A storm hit the coast" in text
