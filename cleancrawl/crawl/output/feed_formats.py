"""Feed formats for Scrapy's ``FEEDS``: Parquet (``"format": "parquet"``), CSV without formulas, zstd compression.

And JSON lines as Scrapy writes them, in less time.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter, CsvItemExporter, JsonLinesItemExporter

from cleancrawl.core.article import FIELDS, Article
from cleancrawl.corpus.csv_cells import harmless
from cleancrawl.corpus.parquet_file import ROW_GROUP, ParquetWriter
from cleancrawl.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def check_feeds(settings: BaseSettings) -> None:
    """Raises at the start what would fail with the first article, which would be lost: and all that follow it."""
    for place, options in settings.getdict("FEEDS").items():
        kind = options.get("format") or Path(str(place)).suffix.removeprefix(".")
        if kind == "parquet":
            if not find_spec("pyarrow"):
                raise MissingExtra("pyarrow", "parquet")
            file = Path(str(place).removeprefix("file://"))
            if not options.get("overwrite") and file.is_file() and file.stat().st_size:
                raise ConfigError(f"{place}: a parquet file cannot be appended to: use -O, or the option overwrite")
        plugins = [str(getattr(plugin, "__name__", plugin)) for plugin in options.get("postprocessing", ())]
        if any(plugin.endswith(ZstdPlugin.__name__) for plugin in plugins) and not find_spec("zstandard"):
            raise MissingExtra("zstandard", "zstd")


class ParquetItemExporter(BaseItemExporter):
    """Items as Parquet with the typed columns of ``Article``; ``fields`` chooses others, which are text.

    The feed option ``item_export_kwargs = {"row_group": 5000}`` sets how many rows are held in memory.
    """

    def __init__(self, file: Any, *, row_group: int = ROW_GROUP, **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self._file, self._row_group = file, row_group
        self._writer: ParquetWriter | None = None

    def start_exporting(self) -> None:
        """Refuses a file with content: Parquet has its index at the end and cannot be appended to."""
        if self._file.seekable() and self._file.tell():
            raise ConfigError("a parquet feed cannot be appended to: set its option overwrite to True")
        self._writer = ParquetWriter(self._file, self._columns(), self._row_group)

    def export_item(self, item: Any) -> None:
        if self._writer is None:
            raise ConfigError("the parquet feed was not started")
        self._writer.write(ItemAdapter(item))

    def finish_exporting(self) -> None:
        if self._writer is not None:
            self._writer.close()

    def _columns(self) -> list[str]:
        chosen = self.fields_to_export
        return [str(name) for name in chosen] if chosen else list(FIELDS)


class ArticleLinesItemExporter(JsonLinesItemExporter):
    """Scrapy's JSON lines. Scrapy asks for each field of an item what kind of one it is; those of an article are known.

    Items of other classes, and chosen fields, are left to it.
    """

    def get_serialized_fields(self, item: Any, *options: Any, **more: Any) -> Iterable[tuple[str, Any]]:
        if type(item) is Article and self.fields_to_export is None:
            return item.to_record().items()
        found: Iterable[tuple[str, Any]] = super().get_serialized_fields(item, *options, **more)
        return found


class HarmlessCsvItemExporter(CsvItemExporter):
    """Scrapy's CSV in which no cell is a formula, but for ``item_export_kwargs = {"raw_cells": True}``."""

    def __init__(self, file: Any, *, raw_cells: bool = False, **options: Any) -> None:
        super().__init__(file, **options)
        self._raw_cells = raw_cells

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        cell = super().serialize_field(field, name, value)
        return harmless(cell) if isinstance(cell, str) and not self._raw_cells else cell


class ZstdPlugin:
    """Post-processing of a feed, by its import path in ``"postprocessing"``; ``"zstd_level": 10`` is optional."""

    def __init__(self, file: Any, feed_options: dict[str, Any]) -> None:
        try:
            import zstandard
        except ImportError:
            raise MissingExtra("zstandard", "zstd") from None
        compressor = zstandard.ZstdCompressor(level=int(feed_options.get("zstd_level", 3)))
        # Scrapy closes the feed's file itself.
        self._stream: Any = compressor.stream_writer(file, closefd=False)

    def write(self, data: bytes | memoryview) -> int:
        return int(self._stream.write(data))

    def close(self) -> None:
        self._stream.close()
