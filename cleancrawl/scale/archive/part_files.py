"""Parts of an archive on disk between the passes. A part that is there is whole: it is renamed when it is written."""

from __future__ import annotations

import json
import os
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple

from cleancrawl.core.fingerprints.article_signature import Signature
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.scale.archive.paused_pages import PausedPage, unpack


class Failure(NamedTuple):
    """A record that failed: a line of the side output."""

    url: str
    archive: str
    record: int
    """Its number among the pages of the archive."""
    step: str
    reason: str


@dataclass(slots=True)
class FirstPart:
    """What the first pass has made of a part."""

    facts: list[PageFacts] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """Where each page's state begins and ends in the file beside it."""
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


class Found(NamedTuple):
    """An article of a part, without its text, which is in the file beside."""

    number: int
    date: float
    place: int
    url: str
    signature: Signature | None
    canonical: str
    published: str | None


@dataclass(slots=True)
class SecondPart:
    """What the second pass has made of a part."""

    found: list[Found] = field(default_factory=list)
    """In the order of the rows."""
    dropped: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class WorkFiles:
    """The directory of one run's work."""

    root: Path

    def bodies(self, number: int) -> Path:
        """Pages on their way to the process that cleans them: through a pipe they take twice the time."""
        return self.root / f"bodies-{number:03d}.scratch"

    def first(self, part: int) -> Path:
        return self.root / f"first-{part:06d}.facts"

    def states(self, part: int) -> Path:
        return self.root / f"first-{part:06d}.states"

    def second(self, part: int) -> Path:
        return self.root / f"second-{part:06d}.found"

    def articles(self, part: int) -> Path:
        return self.root / f"second-{part:06d}.rows"

    @property
    def knowledge(self) -> Path:
        return self.root / "knowledge.db"

    @property
    def stories(self) -> Path:
        """Which article repeats which."""
        return self.root / "stories.db"

    @property
    def reading(self) -> Path:
        """What the reader of the archives has said: there as soon as the first pass is complete."""
        return self.root / "reading.json"

    def read_first(self, part: int) -> FirstPart:
        return pickle.loads(self.first(part).read_bytes())  # type: ignore[no-any-return]

    def read_second(self, part: int) -> SecondPart:
        return pickle.loads(self.second(part).read_bytes())  # type: ignore[no-any-return]

    def write_first(self, part: int, made: FirstPart, states: Sequence[bytes]) -> None:
        """The states first: the facts say that both are there."""
        start = 0
        for state in states:
            made.places.append((start, start + len(state)))
            start += len(state)
        write_whole(self.states(part), b"".join(states))
        write_whole(self.first(part), pickle.dumps(made, 5))

    def write_second(self, part: int, made: SecondPart) -> None:
        write_whole(self.second(part), pickle.dumps(made, 5))

    def read_states(self, part: int, places: Sequence[tuple[int, int]]) -> Iterator[PausedPage]:
        if not places:
            return
        # Unpacked from where the system holds them, without a copy.
        with (
            self.states(part).open("rb") as file,
            mmap(file.fileno(), 0, access=ACCESS_READ) as data,
            memoryview(data) as whole,
        ):
            for start, end in places:
                yield unpack(whole[start:end])


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a process killed now leaves nothing, or all of it."""
    unfinished = path.with_name(f"{path.name}.tmp")
    with unfinished.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def write_json(path: Path, values: Any) -> None:
    text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    write_whole(path, text.encode("utf-8", "replace"))
