"""Figures as Markdown tables that are readable as plain text too."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their width, the first one to the left and the others to the right.

    >>> print(markdown_table(["name", "F1"], [["a", ".95"], ["longer", ".9"]]))
    | name   |  F1 |
    | ------ | --: |
    | a      | .95 |
    | longer |  .9 |
    """
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    widths = [max(width, 3) for width in widths]

    def line(cells: Sequence[str]) -> str:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join([first, *others]) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(header), line(rule), *map(line, rows)])


def share(value: float | None) -> str:
    """A share with three digits and no leading zero.

    >>> share(0.9567), share(1.0), share(None)
    ('.957', '1.000', '–')
    """
    if value is None:
        return "–"
    return f"{value:.3f}".removeprefix("0")


def ratio(value: float | None) -> str:
    """A factor with about two significant digits.

    >>> ratio(0.254), ratio(3.456), ratio(17.2), ratio(None)
    ('0.25 ×', '3.5 ×', '17 ×', '–')
    """
    if value is None:
        return "–"
    digits = 2 if value < 1 else 1 if value < 10 else 0
    return f"{value:.{digits}f} ×"
