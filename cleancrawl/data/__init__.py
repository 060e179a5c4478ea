"""Word lists and models that ship with the package; each file says in its first line where its facts come from.

Every file that is no code is read through this module: what works out of a zipped package is decided in one place.
"""

from __future__ import annotations

from importlib.resources import files


def read_text(name: str, package: str = __name__) -> str:
    """A data file's text, also out of a zipped package; ``package`` names another folder that has files of its own.

    >>> read_text("lua/release.lua", "cleancrawl.stores.redis").startswith("-- ")
    True
    """
    return (files(package) / name).read_text(encoding="utf-8")


def read_lines(name: str) -> list[str]:
    """A data file's lines without comments (``#`` to the end of the line) and blank lines.

    >>> "#" in "".join(read_lines("class_hints.txt"))
    False
    """
    lines = (line.partition("#")[0].strip() for line in read_text(name).splitlines())
    return [line for line in lines if line]


def read_sections(name: str) -> dict[str, tuple[str, ...]]:
    """A data file's lines by the ``[section]`` above them.

    >>> read_sections("languages/de.txt")["copyright-notices"]
    ('alle rechte vorbehalten',)
    """
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in read_lines(name):
        if line.startswith("["):
            current = found.setdefault(line.strip("[]"), [])
        else:
            current.append(line)
    return {section: tuple(lines) for section, lines in found.items()}


def names_in(folder: str, package: str = __name__) -> list[str]:
    """The names of the data files in a folder, in order; ``package`` as for ``read_text``.

    >>> names_in("languages")[:2]
    ['af.txt', 'am.txt']
    """
    return sorted(path.name for path in (files(package) / folder).iterdir())
