"""Comparisons of texts as one HTML file: one pair, or a table of many with the differences below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cleancrawl.report.templating import render
from cleancrawl.report.text_diff import Diff

MOST_SHOWN = 100
"""Pages of a set whose differences are shown; the table has all that differ."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A page or an article in two forms."""

    name: str
    """What the user calls it: a file, an address."""
    title: str
    diff: Diff


def diff_report(found: Compared, names: tuple[str, str]) -> str:
    """One text in two forms. Raises ``MissingExtra`` without Jinja2."""
    return render("diff.html", found=found, names=names)


def set_report(rows: Sequence[Compared], total: int, names: tuple[str, str]) -> str:
    """Texts that differ, the most changed first, out of ``total``."""
    return render("diff_set.html", rows=rows, total=total, names=names, most=MOST_SHOWN)
