"""The articles of an archive as Parquet files: parts put together, duplicates marked."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cleancrawl.core.article import FIELDS, ArticleRecord
from cleancrawl.corpus.card import Counts
from cleancrawl.corpus.parquet_file import load_pyarrow, schema, to_cell
from cleancrawl.scale.archive.alike import AlikeTexts, Text, originals
from cleancrawl.scale.archive.part_files import WorkFiles, write_whole

COUNTED = (
    *("word_count", "site", "language", "published", "blocks_total", "blocks_kept", "removed", "recipe"),
    *("duplicate_of", "withdrawn"),
)
"""Fields that the data card counts."""


class ArticleRows:
    """The articles of a part, written as they are: they are read once, by the process that makes tables of them.

    For tables pyarrow loads pandas where it is installed: the other processes then do without.
    """

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, article: ArticleRecord) -> None:
        self._rows.append({name: to_cell(name, article.get(name)) for name in FIELDS})

    def write(self, path: Path) -> None:
        write_whole(path, pickle.dumps(self._rows, 5))


@dataclass(frozen=True, slots=True)
class StoryWork:
    """Finds out which article repeats which, here or in another process; says how many do."""

    files: WorkFiles

    def __call__(self, parts: int) -> int:
        self.files.stories.unlink(missing_ok=True)
        texts = AlikeTexts(self.files.stories)
        for part in range(parts):
            texts.add(
                Text(
                    *(found.number, found.date, found.place, found.url, found.signature),
                    canonical=found.canonical,
                    published=found.published,
                )
                for found in self.files.read_second(part).found
                if found.signature is not None
            )
        texts.find_stories()
        return texts.keep()


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
        rows: list[dict[str, Any]] = pickle.loads(self.files.articles(part).read_bytes())
        numbers = [found.number for found in self.files.read_second(part).found]
        first = originals(self.files.stories, numbers)
        for row, number in zip(rows, numbers, strict=True):
            row["duplicate_of"] = first.get(number)
        return load_pyarrow().Table.from_pylist(rows, schema=schema(FIELDS))
