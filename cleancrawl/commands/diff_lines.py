"""Differences of texts in a terminal, or in a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cleancrawl.commands.printing import Styled
from cleancrawl.commands.terminal import Terminal, columns, fitted, padded
from cleancrawl.core.text.control_characters import shown
from cleancrawl.report.diff_report import Compared
from cleancrawl.report.text_diff import Row

_SIGNS = {"same": " ", "lost": "-", "gained": "+", "changed": "~"}
_MARKS = {"same": ("", ""), "lost": ("[-", "-]"), "gained": ("{+", "+}")}
"""Where there are no colours."""
_NUMBERS, _NARROWEST_NAME = 48, 20


def diff_text(found: Compared, names: tuple[str, str], terminal: Terminal | None) -> Styled:
    """A line per line: what is the same is left out where it is far from any change."""
    return Styled("\n".join(_lines(found, names, terminal or Terminal(width=0))))


def _lines(found: Compared, names: tuple[str, str], terminal: Terminal) -> Iterator[str]:
    diff = found.diff
    yield terminal.styled(f"--- {names[0]}: {diff.before:,} words", "score")
    yield terminal.styled(f"+++ {names[1]}: {diff.after:,} words", "kept")
    if not diff.changed:
        yield "no word differs"
        return
    yield terminal.styled(f"    {diff}", "bold")
    for number, rows in enumerate(diff.hunks()):
        if number % 2 and rows:
            yield terminal.styled(f"  … {len(rows):,} {'line' if len(rows) == 1 else 'lines'} alike", "dim")
        else:
            yield from (_line(row, terminal) for row in rows)


def _line(row: Row, terminal: Terminal) -> str:
    sign = _SIGNS[row.fate]
    if row.fate == "same":
        text = shown(row.text)
        return terminal.styled(f"{sign} {fitted(text, terminal.width - 2) if terminal.width else text}", "dim")
    if row.fate != "changed":
        return terminal.styled(f"{sign} {row.text}", row.fate)
    pieces = []
    for piece in row.pieces:
        start, end = ("", "") if terminal.colours else _MARKS[piece.fate]
        style = () if piece.fate == "same" else (piece.fate,)
        pieces.append(start + terminal.styled(piece.text, *style) + end)
    return f"{sign} {''.join(pieces)}"


def table_text(
    rows: Sequence[Compared], total: int, names: tuple[str, str], most: int, terminal: Terminal | None
) -> Styled:
    """What changed most, a line per page; the sums of all at the end."""
    screen = terminal or Terminal(width=0)
    listed = rows[:most]
    lost, gained = (sum(getattr(row.diff, name) for row in rows) for name in ("lost", "gained"))
    more = f"; the {len(listed):,} that changed most are listed" if len(rows) > len(listed) else ""
    said = f"{names[0]} → {names[1]}: {len(rows):,} of {total:,} differ, {lost:,} words lost, {gained:,} gained{more}"
    return Styled("\n".join([*(_table(listed, screen) if listed else ()), screen.styled(said, "bold")]))


def _table(rows: Sequence[Compared], terminal: Terminal) -> Iterator[str]:
    width = max(columns(shown(row.name)) for row in rows)
    if terminal.width:
        width = min(width, max(terminal.width - _NUMBERS, _NARROWEST_NAME))
    yield terminal.styled(f"{padded('page', width)}    before     after      lost    gained   alike", "dim")
    for row in rows:
        name = padded(fitted(shown(row.name), width), width)
        yield (
            f"{name} {row.diff.before:>9,} {row.diff.after:>9,} "
            + terminal.styled(f"{row.diff.lost:>9,}", "score")
            + " "
            + terminal.styled(f"{row.diff.gained:>9,}", "kept")
            + f" {row.diff.alike:>7.1%}"
        )
