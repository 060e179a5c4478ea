"""How compiled parts are loaded and built, whichever there are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cleancrawl.core import native as package
from cleancrawl.core.native import PARTS, build, compiled, in_use, why_not

ROOT = Path(__file__).parents[3]
NATIVE = ROOT / "cleancrawl/core/native"


@pytest.fixture(autouse=True)
def _loaded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_load", package._load.__wrapped__)
    monkeypatch.delenv(package.PURE, raising=False)


def test_every_part_is_named_built_and_typed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert tuple(sorted(path.stem for path in NATIVE.glob("*.pyx"))) == PARTS
    assert tuple(sorted(path.stem for path in NATIVE.glob("*.pyi"))) == PARTS
    listed = project["tool"]["setuptools"].get("ext-modules", [])
    assert listed == [
        {
            "name": f"cleancrawl.core.native.{part}",
            "sources": [f"cleancrawl/core/native/{part}.pyx"],
            "optional": True,
        }
        for part in PARTS
    ]


SOURCES = sorted(
    path for end in ("py", "pyi", "pyx", "pxd") for path in (ROOT / "cleancrawl/core/native").glob(f"*.{end}")
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_parts_know_nothing_of_the_package(path: Path) -> None:
    """They are given what they need, and share declarations among themselves."""
    imports = re.findall(r"^\s*(?:from\s+(\S+)\s+c?import|c?import\s+(\S+))", path.read_text("utf-8"), re.MULTILINE)
    names = [one or other for one, other in imports]
    assert not [name for name in names if name.startswith(("cleancrawl", ".."))]
    assert {name[1:] for name in names if name.startswith(".")} <= {other.stem for other in SOURCES}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_source_is_of_a_readable_size(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_a_part_that_is_not_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled("nothing") is None
    monkeypatch.setattr(package, "PARTS", ("nothing", "more"))
    assert in_use() == "pure Python: not built"


@pytest.mark.parametrize(("value", "pure"), [("", False), ("0", False), ("1", True), ("yes", True)])
def test_the_environment_can_ask_for_python(value: str, pure: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEANCRAWL_PURE", value)
    # Any module of the package does for a part here.
    assert (compiled("build") is None) is pure
    assert why_not("build") == ("CLEANCRAWL_PURE is set" if pure else "")
    assert build.why_none() == ("CLEANCRAWL_PURE is set" if pure else "")


def test_a_part_that_does_not_fit_is_none_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: dict[str, Exception] = {
        "older": ValueError("lxml.etree._Element size changed,\n may be incompatible"),
        "lonely": ModuleNotFoundError("No module named 'lxml'", name="lxml"),
    }

    def load(path: str) -> object:
        name = path.rpartition(".")[2]
        if name in errors:
            raise errors[name]
        return package

    monkeypatch.setattr(package, "import_module", load)
    monkeypatch.setattr(package, "PARTS", ("older", "fits", "lonely"))
    assert compiled("older") is None
    assert in_use() == (
        "compiled: fits; older in Python: ValueError: lxml.etree._Element size changed, may be incompatible; "
        "lonely in Python: No module named 'lxml'"
    )


def test_the_version_tells_what_is_compiled() -> None:
    environment = {**os.environ, "CLEANCRAWL_PURE": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "cleancrawl", "--version"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("(pure Python: CLEANCRAWL_PURE is set)")


def test_parts_are_built_in_a_checkout_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "__file__", str(tmp_path / "site-packages/cleancrawl/core/native/build.py"))
    assert build.main() == 1
    assert "no checkout" in capsys.readouterr().err
