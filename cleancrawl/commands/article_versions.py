"""Where versions of articles are: in a store, or in a file that a crawl or an export wrote."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Literal, Protocol

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.page_argument import is_address
from cleancrawl.core.article import ArticleRecord
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.report.stored_page import record_of
from cleancrawl.stores.earlier_versions import earlier_versions
from cleancrawl.stores.protocol import Store

_FILES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
_AT_ONCE = 100


PREVIOUS = "previous"

Wanted = int | Literal["previous"] | None
"""A version's number, the one before the newest, or the newest."""


class Versions(Protocol):
    """Articles by URL, one version of each."""

    def article(self, url: str) -> ArticleRecord | None:
        """The version that is wanted; None where it is not there."""
        ...

    def numbers(self, url: str) -> list[int]:
        """The versions that are there."""
        ...

    def urls(self) -> Iterator[str]: ...


def _chosen(wanted: Wanted, numbers: list[int]) -> int | None:
    """
    >>> _chosen(None, [1, 3]), _chosen("previous", [1, 3]), _chosen(2, [1, 3]), _chosen("previous", [3])
    (3, 1, None, None)
    """
    if wanted is None:
        return max(numbers, default=None)
    if wanted == PREVIOUS:
        return sorted(numbers)[-2] if len(numbers) > 1 else None
    return wanted if wanted in numbers else None


def holds_articles(name: str) -> bool:
    """Whether a name is that of a store or of a file of articles.

    >>> [holds_articles(name) for name in ("sqlite:///a.db@2", "run.jsonl.gz", "default", "https://a.example/")]
    [True, True, False, False]
    """
    place, _ = _version_of(name)
    return ("://" in place and not is_address(place)) or place.endswith(_FILES)


def _version_of(name: str) -> tuple[str, Wanted]:
    """
    >>> _version_of("run.jsonl@3"), _version_of("sqlite:///a.db@previous"), _version_of("redis://me@host/0")
    (('run.jsonl', 3), ('sqlite:///a.db', 'previous'), ('redis://me@host/0', None))
    """
    place, at, wanted = name.rpartition("@")
    if at and wanted == PREVIOUS:
        return place, "previous"
    return (place, int(wanted)) if at and wanted.isdecimal() else (name, None)


@contextmanager
def open_versions(name: str) -> Iterator[Versions]:
    """The newest version of each article, or the one that ``@N`` or ``@previous`` behind the name asks for."""
    place, wanted = _version_of(name)
    if place.endswith(_FILES):
        with _plain(place) as file:
            yield FileVersions(place, file, wanted)
    else:
        with closing(open_existing(place)) as store:
            yield StoreVersions(store, wanted)


@contextmanager
def _plain(place: str) -> Iterator[IO[bytes]]:
    """A file that can be read at any place; a compressed one is unpacked first."""
    if not place.endswith(".gz"):
        with Path(place).open("rb") as file:
            yield file
        return
    with TemporaryFile() as unpacked:
        try:
            with gzip.open(place) as packed:
                shutil.copyfileobj(packed, unpacked)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise CleanCrawlError(f"{place}: {error}") from None
        yield unpacked


@dataclass(frozen=True, slots=True)
class StoreVersions:
    store: Store
    wanted: Wanted

    def article(self, url: str) -> ArticleRecord | None:
        stored = self.store.article(url)
        if stored is None:
            return None
        earlier = {one.version: one for one in earlier_versions(self.store, stored.site, url)}
        number = _chosen(self.wanted, [*earlier, stored.version])
        if number == stored.version:
            return {**record_of(stored), "version": number}
        return asdict(earlier[number]) if number is not None else None

    def numbers(self, url: str) -> list[int]:
        stored = self.store.article(url)
        if stored is None:
            return []
        return [*(one.version for one in earlier_versions(self.store, stored.site, url)), stored.version]

    def urls(self) -> Iterator[str]:
        after = 0
        while entries := self.store.articles(after, _AT_ONCE):
            after = entries[-1].cursor
            yield from (entry.url for entry in entries if entry.article)


class FileVersions:
    """A file of JSON lines. Where each article begins is kept in memory, its text is not."""

    def __init__(self, name: str, file: IO[bytes], wanted: Wanted) -> None:
        self._name, self._file, self._wanted = name, file, wanted
        self._places: dict[str, dict[int, int]] = {}
        place = 0
        file.seek(0)
        for number, line in enumerate(file, 1):
            if line.strip():
                record = self._read(line, number)
                version = record.get("version")
                self._places.setdefault(record["url"], {})[version if isinstance(version, int) else 1] = place
            place += len(line)

    def article(self, url: str) -> ArticleRecord | None:
        number = _chosen(self._wanted, self.numbers(url))
        if number is None:
            return None
        self._file.seek(self._places[url][number])
        return self._read(self._file.readline(), 0)

    def numbers(self, url: str) -> list[int]:
        return sorted(self._places.get(url, ()))

    def urls(self) -> Iterator[str]:
        yield from self._places

    def _read(self, line: bytes, number: int) -> ArticleRecord:
        try:
            record: ArticleRecord = json.loads(line)
            if isinstance(record["url"], str) and isinstance(record["text"], str):
                return record
        except (ValueError, KeyError, TypeError):
            pass
        raise ConfigError(f"{self._name}: line {number} is no article")
