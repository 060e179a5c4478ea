"""Where versions of articles are: a store has the newest of each, a file of a crawl or an export those of its run."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Protocol

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.page_argument import is_address
from cleancrawl.core.article import ArticleRecord
from cleancrawl.errors import CleanCrawlError, ConfigError, StoreError
from cleancrawl.report.stored_page import record_of
from cleancrawl.stores.protocol import Store

_FILES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
_AT_ONCE = 100


class Versions(Protocol):
    """Articles by URL, one version of each."""

    def article(self, url: str) -> ArticleRecord | None: ...

    def urls(self) -> Iterator[str]: ...


def holds_articles(name: str) -> bool:
    """Whether a name is that of a store or of a file of articles.

    >>> [holds_articles(name) for name in ("sqlite:///a.db@2", "run.jsonl.gz", "default", "https://a.example/")]
    [True, True, False, False]
    """
    place, _ = _version_of(name)
    return ("://" in place and not is_address(place)) or place.endswith(_FILES)


def _version_of(name: str) -> tuple[str, int | None]:
    """
    >>> _version_of("run.jsonl@3"), _version_of("redis://me@host/0")
    (('run.jsonl', 3), ('redis://me@host/0', None))
    """
    place, at, number = name.rpartition("@")
    return (place, int(number)) if at and number.isdecimal() else (name, None)


@contextmanager
def open_versions(name: str) -> Iterator[Versions]:
    """The newest version of each article, or with ``@N`` behind the name those with this number."""
    place, version = _version_of(name)
    if place.endswith(_FILES):
        with _plain(place) as file:
            yield FileVersions(place, file, version)
    else:
        with closing(open_existing(place)) as store:
            yield StoreVersions(store, version)


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
    version: int | None

    def article(self, url: str) -> ArticleRecord | None:
        stored = self.store.article(url)
        if stored is None:
            return None
        if self.version not in (None, stored.version):
            raise StoreError(
                f"the store has version {stored.version} of {url} and no other: files of earlier runs have theirs"
            )
        return {**record_of(stored), "version": stored.version}

    def urls(self) -> Iterator[str]:
        after = 0
        while entries := self.store.articles(after, _AT_ONCE):
            after = entries[-1].cursor
            yield from (entry.url for entry in entries if entry.article and self.version in (None, entry.version))


class FileVersions:
    """A file of JSON lines. Where each article begins is kept in memory, its text is not."""

    def __init__(self, name: str, file: IO[bytes], version: int | None) -> None:
        self._name, self._file = name, file
        self._places: dict[str, tuple[int, int]] = {}
        place = 0
        file.seek(0)
        for number, line in enumerate(file, 1):
            if line.strip():
                record = self._read(line, number)
                own = record.get("version") or 1
                if version in (None, own) and own >= self._places.get(record["url"], (0, 0))[0]:
                    self._places[record["url"]] = (own, place)
            place += len(line)

    def article(self, url: str) -> ArticleRecord | None:
        if url not in self._places:
            return None
        self._file.seek(self._places[url][1])
        return self._read(self._file.readline(), 0)

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
