"""The embedded search index: a directory, filled by the sink ``tantivy:///dir`` (extra ``search``)."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from cleancrawl.core.article import COLUMNS, ArticleRecord
from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.core.text.stemming import stemmer
from cleancrawl.errors import ConfigError, MissingExtra, SinkError, SinkUnavailable
from cleancrawl.sinks.analysis import base_language, index_terms
from cleancrawl.sinks.sink import article_id

VERSION = 1
"""Of the schema and of the analysis: what another version has written is not mixed with this one's terms."""
STORED = tuple(name for name, column in COLUMNS.items() if column.in_hits)
IDENTITY = "cleancrawl.json"
_WRITER_MEMORY = 50_000_000
_PATIENCE = 10.0
"""Seconds to wait for another process's batch, which takes tenths of one."""
_LOCK_PAUSE = 0.02
_FILL_AGAIN = "start again, and it is filled from the store"
# Dates are nanoseconds in 64 bits; nothing was published before newspapers.
EARLIEST, LATEST = datetime(1700, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def prepare_embedded(url: str) -> Callable[[], EmbeddedSink]:
    """``tantivy:///relative/dir``, ``tantivy:////absolute/dir``, as stores name their files; or ``tantivy:dir``."""
    directory = embedded_directory(url)
    load_tantivy()
    return partial(EmbeddedSink, directory)


def embedded_directory(url: str) -> Path:
    """
    >>> embedded_directory("tantivy:////var/index").as_posix(), embedded_directory("tantivy:index").as_posix()
    ('/var/index', 'index')
    """
    parts = urlsplit(url)
    directory = unquote(parts.path.removeprefix("/") if url.startswith("tantivy://") else parts.path)
    if not directory or parts.netloc:
        raise ConfigError("an embedded index is named by its directory: tantivy:///dir")
    return Path(directory)


def load_tantivy() -> Any:
    try:
        import tantivy
    except ImportError:
        raise MissingExtra("tantivy", "search") from None
    stemmer("english")  # comes with the extra, too; where it is missing, this is the time to say so
    return tantivy


def build_schema() -> Any:
    """Terms are made by ``index_terms`` and come in joined by blanks: one analysis for articles and for queries."""
    builder = load_tantivy().SchemaBuilder()
    for field in ("id", "url", "site", "language"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    for field in ("title", "text", "authors"):
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="position")
    builder.add_date_field("published", indexed=True, fast=True)
    builder.add_bytes_field("article", stored=True)
    return builder.build()


def open_index(directory: Path) -> Any:
    try:
        return load_tantivy().Index(build_schema(), str(directory))
    except ValueError as error:
        raise SinkError(f"cannot open the index {directory}: {_first_line(error)}") from error


class EmbeddedSink:
    """Writes the index in a directory. Each ``write`` is one commit, and the index is locked for a turn only.

    So several crawls can fill one index: each waits for the other's batch. Since the outbox is read with the index
    locked, what is written is the newest; the lock of a process that dies is free.
    """

    def __init__(self, directory: Path) -> None:
        self._document, self._directory = load_tantivy().Document, directory
        self.name = f"tantivy:{_identity(directory)}"
        self._index = open_index(directory)
        self._writer: Any = None

    def write(self, articles: Sequence[ArticleRecord], orders: Sequence[int] = ()) -> None:
        with self._writing() as writer:
            for article in {article["url"]: article for article in articles}.values():
                writer.delete_documents_by_term("id", article_id(article["url"]))
                writer.add_document(self._to_document(article))

    def delete(self, urls: Sequence[str], orders: Sequence[int] = ()) -> None:
        with self._writing() as writer:
            for url in urls:
                writer.delete_documents_by_term("id", article_id(url))

    def close(self) -> None:
        """Nothing is open between two turns."""

    @contextmanager
    def turn(self) -> Iterator[Any]:
        """The index is locked until the end of the outermost turn."""
        if self._writer is not None:
            yield self._writer
            return
        self._check_place()
        self._writer = self._lock()
        try:
            yield self._writer
        finally:
            writer, self._writer = self._writer, None
            writer.wait_merging_threads()

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """All that is done in the context is committed at its end, or nothing of it."""
        with self.turn() as writer:
            try:
                yield writer
                writer.commit()
            except ValueError as error:
                writer.rollback()
                raise SinkUnavailable(f"cannot write the index {self._directory}: {_first_line(error)}") from error

    def _check_place(self) -> None:
        """Without its directory the index cannot be locked, which looks as if another process wrote it."""
        try:
            name = f"tantivy:{check_identity(self._directory)}"
        except SinkError:
            if not (self._directory / IDENTITY).exists():
                raise SinkError(f"the index {self._directory} has vanished: {_FILL_AGAIN}") from None
            raise
        if name != self.name:
            raise SinkError(f"the index {self._directory} was replaced by another one: {_FILL_AGAIN}")

    def _lock(self) -> Any:
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                return self._index.writer(_WRITER_MEMORY, 1)
            except ValueError as error:
                if "Lock" not in str(error):
                    raise SinkError(f"cannot write the index {self._directory}: {_first_line(error)}") from error
                if time.monotonic() > end:
                    raise SinkUnavailable(f"the index {self._directory} is being written by another process") from None
            time.sleep(_LOCK_PAUSE)

    def _to_document(self, article: ArticleRecord) -> Any:
        document = self._document()
        language = base_language(to_text(article.get("language")))
        document.add_text("id", article_id(article["url"]))
        document.add_text("url", article["url"][:4096])
        document.add_text("site", to_text(article.get("site")))
        document.add_text("language", language)
        for field in ("title", "text"):
            document.add_text(field, " ".join(index_terms(to_text(article.get(field)), language)))
        document.add_text("authors", " ".join(index_terms(to_text(article.get("authors")))))
        published = parse_date(article.get("published"))
        if published and EARLIEST <= published <= LATEST:
            document.add_date("published", published)
        stored = {name: article[name] for name in STORED if article.get(name)}
        document.add_bytes("article", json.dumps(stored, ensure_ascii=False, default=str).encode("utf-8", "replace"))
        return document


def to_text(value: object) -> str:
    """Text of whatever an article holds there: one odd article must not stop the others.

    >>> to_text("a"), to_text(["Ada", None]), to_text(None), to_text({"a": 1})
    ('a', 'Ada', '', "{'a': 1}")
    """
    if isinstance(value, (list, tuple)):
        return " ".join(filter(None, map(to_text, value)))
    return value if isinstance(value, str) else "" if value is None else str(value)


def _identity(directory: Path) -> str:
    """The identifier of the index in the directory, made with it: a new index is filled from the start."""
    path = directory / IDENTITY
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            name = uuid.uuid4().hex
            unfinished = path.with_name(f"{IDENTITY}.{name}")
            unfinished.write_text(json.dumps({"version": VERSION, "id": name}) + "\n")
            # Of several processes that begin an index at once the first gives it its identity, whole.
            try:
                path.hardlink_to(unfinished)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                unfinished.replace(path)
            unfinished.unlink(missing_ok=True)
        return check_identity(directory)
    except OSError as error:
        raise SinkError(f"cannot use the directory {directory}: {error.strerror}") from error


def check_identity(directory: Path) -> str:
    """The identifier of an index; refuses a directory that is no index of this version."""
    try:
        identity = json.loads((directory / IDENTITY).read_text())
        version, name = identity["version"], str(identity["id"])
    except (FileNotFoundError, NotADirectoryError):
        raise SinkError(f"no index in {directory}: fill one with cleancrawl sync STORE tantivy:{directory}") from None
    except (ValueError, KeyError, TypeError):
        raise SinkError(f"{directory / IDENTITY} is damaged: delete the index and fill it again") from None
    if version != VERSION:
        raise SinkError(f"the index {directory} has version {version}, not {VERSION}: delete it and fill it again")
    return name


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
