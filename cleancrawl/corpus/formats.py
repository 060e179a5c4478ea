"""The formats of a corpus. Each can go on where an interrupted export stopped, and then gives the same bytes."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from cleancrawl.core.article import COLUMNS, FIELDS, ArticleRecord
from cleancrawl.core.render.markdown_escape import escape_inline, escape_line_start
from cleancrawl.corpus.csv_cells import harmless
from cleancrawl.corpus.file_names import file_name
from cleancrawl.corpus.parquet_file import ParquetWriter, load_pyarrow
from cleancrawl.corpus.stored_text import rendered_again
from cleancrawl.sinks.sink import article_id

PART = 10_000
"""Articles per Parquet file."""
_PLACES = {name: column.front_matter for name, column in COLUMNS.items() if column.front_matter}
FRONT_MATTER = sorted(_PLACES, key=_PLACES.__getitem__)


class Format(Protocol):
    """Lifecycle: opened with the mark of the last ``flush`` (None at first), ``write`` and ``flush``, ``close``."""

    def write(self, article: ArticleRecord) -> None: ...

    def flush(self) -> Any | None:
        """Make durable what was written; a mark to go on from, or None where this is no place to stop."""
        ...

    def close(self) -> None: ...


class LinesFormat:
    """One file of lines; the mark is its length."""

    def __init__(self, path: Path, mark: int | None, line: Callable[[ArticleRecord], str], header: str = "") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._line = line
        self._file = path.open("r+b" if mark is not None else "wb")
        self._file.truncate(mark or 0)
        self._file.seek(0, os.SEEK_END)
        if mark is None:
            self._file.write(header.encode())

    def write(self, article: ArticleRecord) -> None:
        self._file.write(self._line(article).encode("utf-8", "replace"))

    def flush(self) -> int:
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        self._file.close()


class FilesFormat:
    """A file per article under its site's directory, so writing again changes nothing."""

    def __init__(self, path: Path, mark: bool | None, suffix: str, render: Callable[[ArticleRecord], str]) -> None:
        self._root, self._suffix, self._render = path, suffix, render
        path.mkdir(parents=True, exist_ok=True)
        if not mark:
            for stale in path.glob(f"*/{'[0-9a-f]' * 32}{suffix}"):
                stale.unlink()

    def write(self, article: ArticleRecord) -> None:
        directory = self._root / file_name(article.get("site") or "unknown")
        directory.mkdir(exist_ok=True)
        target = directory / f"{article_id(article['url'])}{self._suffix}"
        target.write_bytes(self._render(article).encode("utf-8", "replace"))

    def flush(self) -> bool:
        return True

    def close(self) -> None:
        pass


class ParquetFormat:
    """A directory of files; the mark is the number of complete ones."""

    def __init__(self, path: Path, mark: int | None) -> None:
        load_pyarrow()
        self._root, self._parts, self._rows = path, mark or 0, 0
        path.mkdir(parents=True, exist_ok=True)
        for stale in path.glob("part-*.parquet*"):
            if stale.suffix != ".parquet" or int(stale.stem[5:]) >= self._parts:
                stale.unlink()
        self._file: Any = None

    def write(self, article: ArticleRecord) -> None:
        if self._file is None:
            self._file = self._partial().open("wb")
            self._writer = ParquetWriter(self._file, FIELDS)
        self._writer.write(article)
        self._rows += 1

    def flush(self) -> int | None:
        return self._finish_part() if self._rows >= PART else None

    def close(self) -> None:
        if self._file is not None:
            self._finish_part()

    def _finish_part(self) -> int:
        self._writer.close()
        self._file.close()
        self._partial().rename(self._root / f"part-{self._parts:05d}.parquet")
        self._file, self._rows = None, 0
        self._parts += 1
        return self._parts

    def _partial(self) -> Path:
        return self._root / f"part-{self._parts:05d}.parquet-unfinished"


def to_json_line(article: ArticleRecord) -> str:
    named = {name: article[name] for name in FIELDS if article.get(name) is not None}
    others = {name: value for name, value in article.items() if name not in COLUMNS}
    return json.dumps({**named, **others}, ensure_ascii=False, default=str) + "\n"


def to_csv_line(article: ArticleRecord) -> str:
    """A row that is safe to open in a spreadsheet."""
    return _csv_line([harmless(_to_csv_cell(article.get(name))) for name in FIELDS])


def to_raw_csv_line(article: ArticleRecord) -> str:
    """A row for programs: texts as they are."""
    return _csv_line([_to_csv_cell(article.get(name)) for name in FIELDS])


def _csv_line(cells: list[str]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()


def _to_csv_cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def to_text(article: ArticleRecord) -> str:
    """
    >>> to_text({"title": "News", "text": "One.\\nTwo."})
    'News\\n\\nOne.\\nTwo.\\n'
    """
    title = article.get("title")
    return (f"{title}\n\n" if title else "") + (article.get("text") or "") + "\n"


def to_markdown(article: ArticleRecord) -> str:
    """Front matter (JSON values are valid YAML), the title as a heading, and the text.

    The text has its markup where the article was stored with it (``CLEANCRAWL_FORMATS``) or with its page
    (``CLEANCRAWL_KEEP_HTML``), else a paragraph per line.

    >>> print(to_markdown({"url": "https://example.com/a", "title": "News", "text": "One.\\n# Two"}))
    ---
    title: "News"
    url: "https://example.com/a"
    ---
    <BLANKLINE>
    # News
    <BLANKLINE>
    One.
    <BLANKLINE>
    \\# Two
    <BLANKLINE>
    """
    shown = (name for name in FRONT_MATTER if article.get(name))
    matter = [f"{name}: {json.dumps(article[name], ensure_ascii=False)}" for name in shown]
    title, body = article.get("title"), _markdown_body(article)
    heading = f"# {escape_inline(title)}\n\n" if title and not body.startswith("# ") else ""
    return "\n".join(["---", *matter, "---", ""]) + f"\n{heading}{body}\n"


def _markdown_body(article: ArticleRecord) -> str:
    if article.get("markdown"):
        return str(article["markdown"])
    text, page = article.get("text") or "", article.get("html")
    document = rendered_again(page, article["url"], text) if page else None
    if document is not None:
        return document.markdown
    lines = (escape_line_start(escape_inline(line.strip())) for line in text.splitlines())
    return "\n\n".join(line for line in lines if line)


def open_format(name: str, path: Path, mark: Any | None = None) -> Format:
    """The writer of a format, at the start or at a mark."""
    return FORMATS[name](path, mark)


RAW_CSV = "raw csv"
"""CSV with cells as they are: an option of the command, not a format of its own."""
_CSV_HEADER = ",".join(FIELDS) + "\r\n"
LINES: dict[str, tuple[Callable[[ArticleRecord], str], str]] = {
    "jsonl": (to_json_line, ""),
    "csv": (to_csv_line, _CSV_HEADER),
    RAW_CSV: (to_raw_csv_line, _CSV_HEADER),
}
"""Formats of one file: how an article becomes a line, and what stands above all lines."""
FORMATS: dict[str, Callable[[Path, Any], Format]] = {
    "jsonl": lambda path, mark: LinesFormat(path, mark, *LINES["jsonl"]),
    "parquet": ParquetFormat,
    "text": lambda path, mark: FilesFormat(path, mark, ".txt", to_text),
    "markdown": lambda path, mark: FilesFormat(path, mark, ".md", to_markdown),
    "csv": lambda path, mark: LinesFormat(path, mark, *LINES["csv"]),
    RAW_CSV: lambda path, mark: LinesFormat(path, mark, *LINES[RAW_CSV]),
}
