"""Feed formats: Parquet (``"format": "parquet"``) and zstd compression, for Scrapy's ``FEEDS``."""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter

from cleancrawl.core.article import FIELDS
from cleancrawl.corpus.parquet_file import ROW_GROUP, ParquetWriter
from cleancrawl.errors import ConfigError, MissingExtra


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
