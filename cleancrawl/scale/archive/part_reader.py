"""Reads archives and divides them into parts, always in the same way; pages go to other processes by way of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cleancrawl.archives.warc_pages import SavedPage, read_warc
from cleancrawl.scale.archive.bulk_run import OnProgress
from cleancrawl.scale.archive.part_files import WorkFiles
from cleancrawl.scale.archive.part_work import Pages

PART_PAGES = 256
PART_BYTES = 24_000_000
"""Pages of a part, and bytes of them: what a process is given at once."""


@dataclass(slots=True)
class Reader:
    """Reads the archives of a run. Where there are other processes, pages are ``handed_over`` to them in so many files.

    Each part has one of them; it is written anew when the part that had it before is done. A new file for each would
    take three times as long: the system then has to find memory for it, and to give it back.
    """

    paths: Sequence[Path]
    files: WorkFiles
    part_pages: int
    handed_over: int
    on_progress: OnProgress
    on_trouble: Callable[[str], object]
    parts: int = 0
    troubles: list[str] = field(default_factory=list)

    def missing(self) -> Iterator[Pages]:
        """The parts of which nothing is there yet."""
        total = sum(path.stat().st_size for path in self.paths)
        for file, path in enumerate(self.paths):
            size, read = path.stat().st_size, 0
            with path.open("rb") as stream:
                for part in self._parts_of(file, str(path), read_warc(stream, str(path), self._broken)):
                    if part is not None:
                        yield part
                    now = max(read, min(stream.tell(), size))
                    self.on_progress("bytes", now - read, total)
                    read = now
            self.on_progress("bytes", size - read, total)

    def _parts_of(self, file: int, name: str, pages: Iterable[SavedPage]) -> Iterator[Pages | None]:
        """Pages in parts of so many, fewer where they are large; None for a part that is there."""
        part: GrowingPart | None = None
        for number, page in enumerate(pages):
            if part is not None and part.is_full(page, self.part_pages):
                yield part.closed()
                part = None
            part = part or self._begun(file, name, number)
            part.add(page)
        if part is not None:
            yield part.closed()

    def _begun(self, file: int, name: str, first: int) -> GrowingPart:
        number = self.parts
        self.parts += 1
        bodies = self.files.bodies(number % self.handed_over) if self.handed_over else None
        return GrowingPart(Pages(number, name, file, first, [], [], bodies), is_there=self.files.first(number).exists())

    def _broken(self, message: str) -> None:
        self.troubles.append(message)
        self.on_trouble(message)


def _rewritten(path: Path) -> BinaryIO:
    """A file to be written from its beginning. What it had is not cut off: whoever reads it knows how much is new."""
    path.touch()
    return path.open("r+b")


class GrowingPart:
    """A part while it is read. Bodies go to a file at once, so that none stays in memory."""

    def __init__(self, pages: Pages, *, is_there: bool) -> None:
        self._pages, self._is_there = pages, is_there
        self._file = None if is_there or pages.bodies is None else _rewritten(pages.bodies)
        self._number = self._bytes = 0

    def is_full(self, page: SavedPage, most: int) -> bool:
        """Whether the page is one too many."""
        return self._number >= most or self._bytes + len(page.body) > PART_BYTES

    def add(self, page: SavedPage) -> None:
        self._number += 1
        self._bytes += len(page.body)
        if self._file is not None:
            self._file.write(page.body)
            self._pages.sizes.append(len(page.body))
            page.body = b""
        if not self._is_there:
            self._pages.pages.append(page)

    def closed(self) -> Pages | None:
        if self._file is not None:
            self._file.close()
        return None if self._is_there else self._pages
