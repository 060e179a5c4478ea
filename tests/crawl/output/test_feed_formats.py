from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pyarrow.parquet
import pytest
import scrapy
import zstandard
from scrapy.exporters import JsonLinesItemExporter

from cleancrawl.core.article import FIELDS, Article
from cleancrawl.crawl.output.feed_formats import ArticleLinesItemExporter, ParquetItemExporter
from cleancrawl.errors import ConfigError
from tests.crawling import Crawl, LittleServer


class OneSpider(scrapy.Spider):
    name = "one"
    url: str

    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield scrapy.Request(self.url)

    def parse(self, response: object) -> None:
        return None


def test_a_crawl_writes_parquet_and_compressed_lines(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    url = server.page("/a", "<html lang=en><title>Storm</title><p>A heavy storm hit the northern coast.</p>")
    feeds = {
        str(tmp_path / "articles.parquet"): {"format": "parquet"},
        str(tmp_path / "some.parquet"): {"format": "parquet", "fields": ["url", "authors"]},
        str(tmp_path / "articles.jsonl.zst"): {
            "format": "jsonlines",
            "postprocessing": ["cleancrawl.crawl.output.feed_formats.ZstdPlugin"],
            "zstd_level": 5,
        },
    }
    crawl(OneSpider, {"FEEDS": feeds}, url=url)
    (row,) = pyarrow.parquet.read_table(tmp_path / "articles.parquet").to_pylist()
    assert tuple(row) == FIELDS
    assert (row["url"], row["language"], row["word_count"]) == (url, "en", 7)
    assert pyarrow.parquet.read_table(tmp_path / "some.parquet").column_names == ["url", "authors"]
    packed = (tmp_path / "articles.jsonl.zst").read_bytes()
    assert json.loads(zstandard.ZstdDecompressor().decompressobj().decompress(packed))["url"] == url


def test_row_groups_bound_the_memory() -> None:
    file = io.BytesIO()
    exporter = ParquetItemExporter(file, row_group=3)
    exporter.start_exporting()
    for number in range(8):
        exporter.export_item(Article(url=f"https://example.com/{number}"))
    exporter.finish_exporting()
    metadata = pyarrow.parquet.ParquetFile(file).metadata
    assert (metadata.num_rows, metadata.num_row_groups) == (8, 3)


def test_parquet_is_not_appended_to() -> None:
    file = io.BytesIO(b"something")
    file.seek(0, io.SEEK_END)
    with pytest.raises(ConfigError, match="overwrite"):
        ParquetItemExporter(file).start_exporting()
    exporter = ParquetItemExporter(io.BytesIO())
    exporter.finish_exporting()
    with pytest.raises(ConfigError, match="not started"):
        exporter.export_item({})


@pytest.mark.parametrize("options", [{}, {"export_empty_fields": True}, {"fields_to_export": ["url", "text"]}])
@pytest.mark.parametrize("more", [{}, {"encoding": "utf-8", "indent": 1}])
def test_lines_are_those_of_scrapy(options: dict[str, object], more: dict[str, object]) -> None:
    articles = [Article("https://a.example/1", "a.example", text="Ein Fluß", authors=["Ann"], removed={"a": 1})]
    items = [*articles, {"url": "b", "text": None}, Article("https://a.example/2")]
    written = []
    for kind in (JsonLinesItemExporter, ArticleLinesItemExporter):
        file = io.BytesIO()
        exporter = kind(file, **options, **more)
        for item in items:
            exporter.export_item(item)
        written.append(file.getvalue())
    assert written[0] == written[1] != b""
