"""Figures in Markdown pages, written there by the command that measured them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cleancrawl.errors import ConfigError

_PART = re.compile(r"(<!-- figures: ([\w -]+) -->\n)(?:(?!<!-- figures: ).)*?(<!-- end of figures -->)", re.DOTALL)


def renewed(page: str, figures: Mapping[str, str]) -> str:
    r"""The page with new figures between its marks; parts of other names stay as they are.

    >>> page = "<!-- figures: cost -->\nold\n<!-- end of figures -->\n"
    >>> renewed(page, {"cost": "5 ms"})
    '<!-- figures: cost -->\n\n5 ms\n\n<!-- end of figures -->\n'
    >>> renewed(page, {"other": ""}) == page
    True
    """

    def part(match: re.Match[str]) -> str:
        name = match[2]
        return f"{match[1]}\n{figures[name]}\n\n{match[3]}" if name in figures else match[0]

    return _PART.sub(part, page)


def parts_of(path: Path) -> list[str]:
    """The names of the parts that a page has; raises ``ConfigError`` where it has none or cannot be read."""
    try:
        names = [match[2] for match in _PART.finditer(path.read_text(encoding="utf-8"))]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from None
    if not names:
        raise ConfigError(f"{path} has no figures to renew: no <!-- figures: NAME --> … <!-- end of figures -->")
    return names


def renew(path: Path, figures: Mapping[str, str]) -> list[str]:
    """Write the figures into a page; gives the names of the parts that were renewed."""
    names = [name for name in parts_of(path) if name in figures]
    try:
        path.write_text(renewed(path.read_text(encoding="utf-8"), figures), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error}") from None
    return names
