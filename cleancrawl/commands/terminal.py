"""What a terminal can show: colours, where they are wanted, and how wide a text is on it."""

from __future__ import annotations

import os
import shutil
import unicodedata
from dataclasses import dataclass
from typing import TextIO

from cleancrawl.core.text.control_characters import shown

STYLES = {
    "bold": "1",
    "dim": "2",
    "lost": "9;31",
    "gained": "4;32",
    "kept": "32",
    "primary": "33",
    "secondary": "35",
    "score": "31",
    "other": "36",
}
"""What is meant, as the numbers of ECMA-48; the colours are those that the terminal's owner has chosen."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal that somebody reads on: whether it shows colours, and how wide it is."""

    colours: bool = False
    width: int = 100

    @classmethod
    def of(cls, stream: TextIO) -> Terminal | None:
        """The stream's terminal, None where it is a file or a pipe.

        It has colours unless ``NO_COLOR`` is set (https://no-color.org) or it is a dumb one.
        """
        if not stream.isatty():
            return None
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(not plain, shutil.get_terminal_size().columns)

    def styled(self, text: str, *styles: str) -> str:
        """Text from anywhere, made harmless, in our styles.

        >>> Terminal(colours=True).styled("a\\x1b[2J", "bold"), Terminal().styled("a\\x07", "bold")
        ('\\x1b[1ma�[2J\\x1b[0m', 'a�')
        """
        numbers = ";".join(STYLES[style] for style in styles)
        return f"\033[{numbers}m{shown(text)}\033[0m" if self.colours and numbers and text else shown(text)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> columns("storm"), columns("北京"), columns("e\\u0301")
    (5, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fitted(text: str, width: int) -> str:
    """The text, cut off where it is wider.

    >>> fitted("a storm", 7), fitted("a storm", 5), fitted("北京の朝", 5)
    ('a storm', 'a st…', '北京…')
    """
    # No character is narrower than none: what is far too long need not be measured.
    if columns(text[: 4 * width]) <= width and len(text) <= 4 * width:
        return text
    taken, room = 0, width - 1
    for character in text:
        room -= _columns_of(character)
        if room < 0:
            break
        taken += 1
    return text[:taken] + "…"


def padded(text: str, width: int) -> str:
    """
    >>> padded("ab", 4) + "|"
    'ab  |'
    """
    return text + " " * (width - columns(text))
