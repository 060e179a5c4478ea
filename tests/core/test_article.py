from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pyarrow
import pytest
from itemadapter import ItemAdapter

import cleancrawl
from cleancrawl.core.article import COLUMNS, FIELDS, STATED, Article
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.corpus import formats, parquet_file
from cleancrawl.lab.field_table import HEAD, field_table, main
from cleancrawl.sinks import embedded, mapping

DOCS = Path(__file__).parents[2] / "docs"
PAGE = """<html lang="en"><head><title>Storm – Herald</title><meta property="og:site_name" content="Herald">
<meta name="author" content="Ada Writer"><meta property="article:tag" content="weather"></head><body><nav>
<a href="/">Home</a> <a href="/news">News</a></nav><h1>Storm</h1><p>A heavy storm hit the northern coast, and the
harbour was closed for two days, said the harbour master on Friday.</p></body>"""


def test_an_article_is_made_of_a_document_and_its_fetch() -> None:
    document = cleancrawl.clean(PAGE, url="https://herald.example/storm")
    article = Article.of(document, url="https://herald.example/storm", site="herald.example", fetched=1_800_000_000.5)
    assert (article.url, article.site, article.fetched_at) == (
        "https://herald.example/storm",
        "herald.example",
        "2027-01-15T08:00:00+00:00",
    )
    assert (article.title, article.site_name, article.language) == ("Storm", "Herald", "en")
    assert (article.authors, article.tags) == (["Ada Writer"], ["weather"])
    assert article.canonical_url == article.url
    assert (article.text, article.recipe) == (document.text, "default")
    assert article.blocks_total == len(document.blocks) == article.blocks_kept + sum(article.removed.values())
    assert article.word_count == sum(block.words for block in document.page.kept)
    assert (article.version, article.previous, article.duplicate_of, article.html) == (1, None, None, None)


def test_what_a_page_says_is_taken_over_by_name() -> None:
    assert set(STATED) == {known.name for known in fields(Metadata)} - {"types", "failed"}


def test_a_record_and_an_item_have_all_fields_in_order() -> None:
    article = Article("https://herald.example/storm")
    assert tuple(article.to_record()) == tuple(ItemAdapter(article)) == FIELDS
    assert article.to_record()["tags"] is article.tags
    assert article.tags is not Article("https://herald.example/flood").tags


KINDS = {
    "str": {"text", "time"},
    "int": {"integer"},
    "float": {"number"},
    "bool": {"flag"},
    "list[str]": {"list"},
    "dict[str, int]": {"counts"},
    "list[dict[str, str | None]]": {"records"},
}


@pytest.mark.parametrize("known", fields(Article), ids=lambda known: known.name)
def test_the_kind_of_a_column_fits_the_type(known: object) -> None:
    kind = known.type.removesuffix(" | None")  # type: ignore[attr-defined]
    assert COLUMNS[known.name].kind in KINDS[kind]  # type: ignore[attr-defined]


def test_the_documentation_has_a_row_per_field() -> None:
    text = (DOCS / "output.md").read_text("utf-8")
    assert f"\n{field_table()}\n" in text


def test_the_table_of_the_documentation_is_written_by_a_command(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n\n{HEAD}| `gone` | text | fetch | no field any more |\n\nAfter.\n", "utf-8")
    assert main([str(page)]) == 0
    assert page.read_text("utf-8") == f"Before.\n\n{field_table()}\nAfter.\n"


# What files and indexes were like when they were last written: a difference here is one that users find.


def test_parquet_columns_have_these_types() -> None:
    schema = parquet_file.schema(FIELDS)
    others = {name: str(schema.field(name).type) for name in FIELDS if schema.field(name).type != pyarrow.string()}
    assert schema.names == list(FIELDS)
    assert others == {
        **dict.fromkeys(("fetched_at", "withdrawn"), "timestamp[ms, tz=UTC]"),
        **dict.fromkeys(("authors", "tags"), "list<item: string>"),
        "paywalled": "bool",
        "rendered": "bool",
        "rights": "list<item: struct<kind: string, value: string, source: string>>",
        "images": "list<item: struct<url: string, caption: string, credit: string, alt: string>>",
        "posts": "list<item: struct<id: string, time: string, title: string, text: string, first_seen: string>>",
        "comments": "list<item: struct<author: string, date: string, text: string>>",
        **dict.fromkeys(("word_count", "blocks_total", "blocks_kept", "version", "parts", "parts_expected"), "int64"),
        "removed": "map<string, int64>",
        **dict.fromkeys(("score", "feed_agreement"), "double"),
    }


def test_front_matter_is_in_this_order() -> None:
    assert (
        "title url site authors published language section tags duplicate_of withdrawn".split() == formats.FRONT_MATTER
    )


def test_the_mapping_of_this_version_is_this_one() -> None:
    kinds = {name: about["type"] for name, about in mapping.PROPERTIES.items()}
    assert (mapping.VERSION, kinds) == (
        1,
        {
            **dict.fromkeys(("url", "site", "language", "duplicate_of"), "keyword"),
            **dict.fromkeys(("title", "text", "authors"), "text"),
            **dict.fromkeys(("published", "modified"), "date"),
        },
    )


def test_the_embedded_index_stores_these() -> None:
    assert set(embedded.STORED) == set("url title text site authors language published duplicate_of".split())
