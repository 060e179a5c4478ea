"""The articles of an archive as Parquet files: parts put together, duplicates marked."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cleancrawl.core.article import FIELDS, ArticleRecord
from cleancrawl.corpus.card import Counts
from cleancrawl.corpus.parquet_file import load_pyarrow, schema, to_cell
from cleancrawl.scale.archive.alike import originals
from cleancrawl.scale.archive.part_files import WorkFiles

COUNTED = (
    *("word_count", "site", "language", "published", "blocks_total", "blocks_kept", "removed", "recipe"),
    *("duplicate_of", "withdrawn"),
)
"""Fields that the data card counts."""


class ArticleRows:
    """The articles of a part, written as they are: they are read once, and packed then."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, article: ArticleRecord) -> None:
        self._rows.append({name: to_cell(name, article.get(name)) for name in FIELDS})

    def write(self, path: Path) -> None:
        arrow = load_pyarrow()
        table = arrow.Table.from_pylist(self._rows, schema=schema(FIELDS))
        unfinished = path.with_suffix(".tmp")
        with unfinished.open("wb") as file:
            with arrow.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)


@dataclass(frozen=True, slots=True)
class Volume:
    """Parts that make up one file of articles."""

    number: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VolumeWork:
    """Writes a file of articles, here or in another process; says what is in it."""

    files: WorkFiles
    directory: Path
    drop_duplicates: bool

    def __call__(self, volume: Volume) -> Counts:
        arrow = load_pyarrow()
        target = self.directory / f"part-{volume.number:05d}.parquet"
        unfinished, counts = target.with_suffix(".tmp"), Counts()
        writer: Any = None
        for part in volume.parts:
            table = self._marked(part)
            if self.drop_duplicates:
                table = table.filter(arrow.compute.is_null(table["duplicate_of"]))
            if writer is None:
                writer = arrow.parquet.ParquetWriter(unfinished, table.schema, compression="zstd")
            writer.write_table(table)
            for row in table.select(COUNTED).to_pylist(maps_as_pydicts="strict"):
                counts.add(row)
        writer.close()
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
        return counts

    def _marked(self, part: int) -> Any:
        arrow = load_pyarrow()
        with arrow.memory_map(str(self.files.articles(part))) as file:
            table = arrow.ipc.open_file(file).read_all()
        numbers = [found.number for found in self.files.read_second(part).found]
        first = originals(self.files.stories, numbers)
        marks = arrow.array([first.get(number) for number in numbers], arrow.string())
        return table.set_column(table.schema.get_field_index("duplicate_of"), "duplicate_of", marks)
