"""How all commands print: what comes from a page, a site or a server never commands the terminal."""

from __future__ import annotations

import sys
from typing import TextIO

from cleancrawl.core.text.control_characters import shown


def show(text: object = "", *, file: TextIO | None = None, end: str = "\n", flush: bool = False) -> None:
    """Print a text without control characters but for tabs and line feeds; marks of our own come as ``styled``.

    >>> show("a\\x1b[2Jb")
    a�[2Jb
    """
    print(text if isinstance(text, Styled) else shown(str(text)), file=file or sys.stdout, end=end, flush=flush)


class Styled(str):
    """A text that holds escape sequences of our own; all else in it went through ``shown``."""

    __slots__ = ()
