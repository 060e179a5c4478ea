"""Cells of a CSV file: a page must not put a formula into a spreadsheet."""

from __future__ import annotations

_FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_FIRST = ("\t", "\r", "\n")


def harmless(cell: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like it gets an apostrophe in front.

    >>> harmless("=1+1"), harmless(" @SUM(A1)"), harmless("a = b"), harmless("")
    ("'=1+1", "' @SUM(A1)", 'a = b', '')
    """
    return f"'{cell}" if cell.startswith(_FIRST) or cell.lstrip().startswith(_FORMULAS) else cell
