"""A progress bar on a terminal; silent elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self, TextIO

from cleancrawl.core.text.control_characters import shown

_WIDTH = 30
_EVERY = 0.1


class Progress:
    """Use as a context; ``advance`` draws at most ten times a second."""

    def __init__(self, what: str, total: int, stream: TextIO, *, visible: bool = True) -> None:
        self._what, self._total, self._stream = what, total, stream
        self._live = visible and stream.isatty()
        self._done, self._started, self._drawn = 0, time.monotonic(), 0.0

    def advance(self, count: int = 1) -> None:
        self._done += count
        if self._live and time.monotonic() - self._drawn >= _EVERY:
            self._drawn = time.monotonic()
            self._stream.write(f"\r{self.line(self._drawn - self._started)}\033[K")
            self._stream.flush()

    def say(self, text: str) -> None:
        """A line of its own, above the bar."""
        text = shown(text)
        self._stream.write(f"\r\033[K{text}\n" if self._live else f"{text}\n")
        self._stream.flush()
        self._drawn = 0.0

    def line(self, elapsed: float) -> str:
        """The bar; a total that turned out too low grows."""
        total = max(self._total, self._done, 1)
        filled = _WIDTH * self._done // total
        rate = self._done / elapsed if elapsed > 0 else 0.0
        bar = "█" * filled + "░" * (_WIDTH - filled)
        return f"{bar} {self._done:,}/{total:,} {self._what} · {rate:,.0f}/s"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._stream.write("\r\033[K")
            self._stream.flush()
