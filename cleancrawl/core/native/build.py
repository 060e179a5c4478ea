"""How the compiled parts are built: setuptools' ``build_ext`` that never fails an installation.

    python -m cleancrawl.core.native.build

builds them beside their sources, in a checkout. setuptools loads this file by its path where nothing but the build
requirements is installed, so it imports nothing of the package.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError

_OPTIMISED = {"unix": ["-O3"], "mingw32": ["-O3"], "msvc": ["/O2"]}
_NEEDED = ("Cython", "lxml")


class BuildParts(build_ext):  # type: ignore[misc]
    """Builds what can be built, says in one line what cannot, and makes a pure wheel where nothing was built."""

    extensions: list[Any]

    def initialize_options(self) -> None:
        super().initialize_options()
        # The generated C goes with the other temporary files, not into the source tree.
        self.cython_c_in_temp = True
        self.cython_directives = {"language_level": 3}
        self.left_out: dict[str, str] = {}

    def run(self) -> None:
        wanted = list(self.extensions)
        reason = why_none()
        if reason:
            self.left_out = {extension.name: reason for extension in wanted}
            self.extensions = []
        try:
            super().run()
        except Exception as error:
            # No compiler at all: some platforms say so before the first part is begun.
            self.left_out = {extension.name: _line(error) for extension in wanted}
        self._settle(wanted)

    def build_extensions(self) -> None:
        # First of all: Cython translates the parts for ten seconds, which is for nothing where C cannot be compiled.
        with TemporaryDirectory() as scratch:
            source = Path(scratch, "headers.c")
            source.write_text("#include <Python.h>\n")
            self.compiler.compile([str(source)], output_dir=scratch)
        super().build_extensions()

    def build_extension(self, extension: Any) -> None:
        try:
            self._prepare(extension)
            super().build_extension(extension)
        except (Exception, SystemExit) as error:
            self.left_out[extension.name] = _line(error)

    def _prepare(self, extension: Any) -> None:
        headers = import_module("lxml").get_include()
        extension.include_dirs = [*extension.include_dirs, *headers]
        extension.extra_compile_args = optimised(self.compiler.compiler_type, os.environ.get("CFLAGS", ""))

    def _settle(self, wanted: list[Any]) -> None:
        """Account for what was left out: no older file of it stays, and a wheel without parts fits every platform."""
        self.extensions = [extension for extension in wanted if extension.name not in self.left_out]
        self.distribution.ext_modules = self.extensions
        for name in self.left_out:
            Path(self.get_ext_fullpath(name)).unlink(missing_ok=True)
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None and not self.extensions:
            wheel.root_is_pure = True
        if self.left_out:
            self.warn(left_out_line(self.left_out))


def why_none() -> str:
    """Why no part can be built; empty where nothing speaks against it."""
    if os.environ.get("CLEANCRAWL_PURE", "") not in ("", "0"):
        return "CLEANCRAWL_PURE is set"
    missing = [name for name in _NEEDED if find_spec(name) is None]
    return f"no {' and no '.join(missing)}" if missing else ""


def optimised(compiler: str, flags: str) -> list[str]:
    """What a compiler is told of optimising; nothing where the environment's flags, which stand before it, say it.

    >>> optimised("unix", "-g"), optimised("unix", "-g -O1"), optimised("other", "")
    (['-O3'], [], [])
    """
    said = any(flag.startswith("-O") for flag in flags.split())
    return [] if said else _OPTIMISED.get(compiler, [])


def left_out_line(reasons: dict[str, str]) -> str:
    """What is said of parts that were not built.

    >>> left_out_line({"a.b.marking": "no Cython", "a.b.parsing": "no Cython"})
    'cleancrawl works without these compiled parts, only slower: marking, parsing (no Cython)'
    """
    names: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names.setdefault(reason, []).append(name.rpartition(".")[2])
    listed = ", ".join(f"{', '.join(parts)} ({reason})" for reason, parts in names.items())
    return f"cleancrawl works without these compiled parts, only slower: {listed}"


def _line(error: BaseException) -> str:
    if isinstance(error, CompileError | LinkError):
        # The compiler has said above what is wrong; the exception repeats its whole command line.
        return "the C compiler failed"
    return shorten(str(error), 200) or type(error).__name__


def main() -> int:
    """Build the parts of a checkout in place; 1 where one of them could not be built."""
    root = Path(__file__).parents[3]
    if not (root / "pyproject.toml").is_file():
        print(f"{root} is no checkout of cleancrawl: install it anew instead", file=sys.stderr)
        return 1
    os.chdir(root)
    with TemporaryDirectory() as scratch:
        places = ["--build-temp", f"{scratch}/temp", "--build-lib", f"{scratch}/lib"]
        done = setup(script_name="build.py", script_args=["--quiet", "build_ext", "--inplace", *places])
    return int(bool(done.get_command_obj("build_ext").left_out))


if __name__ == "__main__":
    sys.exit(main())
