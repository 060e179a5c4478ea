"""What a document tells of itself: in a line, by attribute, as a record."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import requests

import cleancrawl
from cleancrawl.core.article import COLUMNS, FIELDS, STATED, Article
from cleancrawl.core.document import Document
from cleancrawl.core.metadata.metadata import Metadata
from tests.site.server import SampleSite

OUTPUT = (Path(__file__).parents[2] / "docs/output.md").read_text("utf-8")
URL = "https://herald.example/storm"
PAGE = (
    '<html lang="en"><head><title>Storm – Herald</title><meta property="og:site_name" content="Herald">'
    '<meta name="author" content="Ada Writer"><meta property="article:tag" content="weather">'
    '<meta property="article:published_time" content="2026-03-04"><meta name="description" content="A storm.">'
    '<meta property="og:image" content="/storm.jpg"></head><body><nav><a href="/">Home</a></nav><h1>Storm</h1>'
    + "".join(f"<p>The <b>storm</b> number {n} hit the coast, and the harbour was closed.</p>" for n in range(4))
    + "</body></html>"
)
TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "time": (str,),
    "list": (list,),
    "counts": (dict,),
    "records": (list,),
    "integer": (int,),
    "number": (float,),
    "flag": (bool,),
}


@pytest.fixture(scope="module")
def document() -> Document:
    return cleancrawl.clean(PAGE, url=URL)


def test_a_line_says_what_it_is(document: Document) -> None:
    assert repr(document) == f"<Document 'Storm': 48 words, 4 of 6 blocks, {URL}>"
    assert repr(cleancrawl.clean("")) == "<Document '': 0 words, 0 of 0 blocks, no URL>"
    long = cleancrawl.clean(f"<title>{'word ' * 100}</title>")
    assert len(repr(long)) < 200
    assert "word…'" in repr(long)


def test_what_the_page_says_is_there_by_name(document: Document) -> None:
    assert (document.title, document.language, document.published) == ("Storm", "en", "2026-03-04")
    assert (document.authors, document.tags) == (["Ada Writer"], ["weather"])
    assert (document.description, document.site_name) == ("A storm.", "Herald")
    assert (document.image, document.canonical_url) == ("https://herald.example/storm.jpg", URL)
    assert (document.modified, document.section, document.paywalled) == (None, None, None)


def test_every_stated_field_is_an_attribute_and_equal_to_the_record(document: Document) -> None:
    record = document.to_dict()
    assert {name: getattr(document, name) for name in STATED} == {name: record[name] for name in STATED}
    assert {known.name for known in fields(Metadata)} - {"types", "failed"} == set(STATED)


def test_the_record_is_that_of_an_article(document: Document) -> None:
    article = Article.of(document, url=URL, site="herald.example")
    record = document.to_dict()
    assert tuple(record) == FIELDS
    assert record == article.to_record()
    assert json.loads(json.dumps(record)) == record
    assert [name for name in ("fetched_at", "comments", "html", "markdown", "clean_html") if record[name]] == []
    more = document.to_dict(fetched=0.0, comments=True, formats=("markdown", "html"))
    assert (more["fetched_at"], more["comments"]) == ("1970-01-01T00:00:00+00:00", [])
    assert (more["markdown"], more["clean_html"]) == (document.markdown, document.html)
    nameless = cleancrawl.clean(PAGE).to_dict()
    assert (nameless["url"], nameless["site"], nameless["canonical_url"]) == ("", "", "")


def example() -> dict[str, Any]:
    (code,) = re.findall(r"^```json\n(.*?)^```", OUTPUT, re.DOTALL | re.MULTILINE)
    shown: dict[str, Any] = json.loads(code)
    return shown


def test_the_example_of_the_documentation_has_every_field() -> None:
    shown = example()
    assert tuple(shown) == FIELDS
    for name, value in shown.items():
        assert value is None or type(value) in TYPES[COLUMNS[name].kind], name
    assert sum(value not in (None, "", [], {}) for value in shown.values()) >= 20


def test_the_example_is_what_the_sample_site_gives(sample_site: SampleSite) -> None:
    shown = example()
    path = shown["url"].removeprefix("http://127.0.0.1:8000")
    record = cleancrawl.clean(requests.get(sample_site.a + path, timeout=10)).to_dict()
    host = sample_site.a.partition("://")[2]
    # Counts and scores are the model's of the day.
    for name in (*STATED, "url", "site", "text", "recipe", "version"):
        value = shown[name]
        if isinstance(value, str) and value.endswith("…"):
            assert record[name].startswith(value[:-1]), name
        else:
            assert json.loads(json.dumps(record[name]).replace(host, "127.0.0.1:8000")) == value, name
