"""From a store to corpus files: in the order of the outbox, and on from where an interrupted export stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cleancrawl.corpus.card import Counts, card_json, card_markdown
from cleancrawl.corpus.formats import LINES, open_format
from cleancrawl.corpus.selection import Selection, last_cursor, select
from cleancrawl.errors import ConfigError
from cleancrawl.stores.protocol import Outbox

_CHECKPOINT = 1_000
"""Entries of the outbox between two marks."""


@dataclass(frozen=True, slots=True)
class Export:
    """One corpus: where it goes, how it is written and what goes in."""

    out: Path
    format: str
    selection: Selection
    made: dict[str, Any]
    """The command and versions, for the card."""

    @property
    def state_path(self) -> Path:
        return self.out.with_name(f"{self.out.stem}.unfinished.json")

    @property
    def options(self) -> dict[str, Any]:
        return json.loads(json.dumps({"format": self.format, **asdict(self.selection)}, default=str))  # type: ignore[no-any-return]

    def run(self, outbox: Outbox, on_progress: Callable[[int], object] = lambda entries: None) -> Counts:
        """Write the corpus and its card. Killed at any moment, the next run gives the same files."""
        state = self._load_state() or {"options": self.options, "after": 0, "end": last_cursor(outbox), "mark": None}
        counts = Counts.from_json(state["counts"]) if "counts" in state else Counts()
        writer = open_format(self.format, self.out, state["mark"])
        pending = 0
        try:
            for cursor, article in select(outbox, self.selection, state["after"], state["end"]):
                if article is not None:
                    writer.write(article)
                    counts.add(article)
                pending += 1
                on_progress(1)
                if pending >= _CHECKPOINT and (mark := writer.flush()) is not None:
                    state |= {"after": cursor, "mark": mark, "counts": counts.to_json()}
                    _replace(self.state_path, json.dumps(state))
                    pending = 0
            writer.flush()
        finally:
            writer.close()
        self._write_card(counts)
        self.state_path.unlink(missing_ok=True)
        return counts

    def _load_state(self) -> dict[str, Any] | None:
        if not self.state_path.exists():
            return None
        try:
            state: dict[str, Any] = json.loads(self.state_path.read_text())
            same = state["options"] == self.options and {"after", "end", "mark"} <= state.keys()
        except (ValueError, KeyError, TypeError):
            same = False
        if not same:
            raise ConfigError(f"{self.state_path} belongs to another export: finish that one or delete the file")
        return state

    def _write_card(self, counts: Counts) -> None:
        _replace(self.out.with_name(f"{self.out.stem}.md"), card_markdown(counts, self.made))
        card = json.dumps(card_json(counts, self.made), ensure_ascii=False, indent=2)
        _replace(self.out.with_name(f"{self.out.stem}.json"), card + "\n")


def write_lines(
    outbox: Outbox,
    format: str,
    selection: Selection,
    write: Callable[[bytes], object],
    on_progress: Callable[[int], object] = lambda entries: None,
) -> int:
    """A corpus as a stream of lines, without card and marks; returns the number of articles."""
    if format not in LINES:
        raise ConfigError(f"{format} makes a directory, which standard output cannot take: use {' or '.join(LINES)}")
    line, header = LINES[format]
    write(header.encode())
    written = 0
    for _, article in select(outbox, selection, 0, last_cursor(outbox)):
        on_progress(1)
        if article is not None:
            write(line(article).encode("utf-8", "replace"))
            written += 1
    return written


def _replace(path: Path, text: str) -> None:
    """Write a small file so that a reader, or a process killed now, never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.tmp")
    with unfinished.open("w", encoding="utf-8", errors="replace") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
