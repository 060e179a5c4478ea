from __future__ import annotations

import re
from pathlib import Path

import cleancrawl
from cleancrawl.data import read_lines, read_sections, read_text

PACKAGE = Path(cleancrawl.__file__).parent
WAYS = re.compile(r"importlib\.resources|importlib import resources|pkgutil\.get_data|pkg_resources")


def test_nothing_else_reads_files_of_the_package() -> None:
    found = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if WAYS.search(path.read_text())}
    assert found == {"data/__init__.py"}


def test_comments_and_blank_lines_are_left_out() -> None:
    assert read_text("social_hosts.txt").startswith("#")
    assert all(line.strip() and "#" not in line for line in read_lines("social_hosts.txt"))
    assert all(all(lines) for lines in read_sections("meta_names.txt").values())
