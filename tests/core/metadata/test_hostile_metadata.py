"""Metadata that is made to hurt: it costs at most its own field, never the article, and no more than a line."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl import Document, clean
from cleancrawl.core.metadata import extract, guarded_fields
from cleancrawl.core.text.control_characters import is_clean
from tests.growth import about_linear

SENTENCE = "The council said on day {} that the old bridge, which had been closed, would open again in May."
BODY = "".join(f"<p>{SENTENCE.format(day)}</p>" for day in range(8))
URL = "https://news.example/2024/05/03/a"


def page(source: str, head: str = "") -> str:
    script = f'<script type="application/ld+json">{source}</script>'
    return f"<html><head><title>Bridge</title>{script}{head}</head><body><article>{BODY}</article></body></html>"


def survived(html: str) -> Document:
    document = clean(html, url=URL)
    assert SENTENCE.format(4) in document.text
    assert document.metadata.failed == ()
    return document


def in_title(size: int) -> str:
    bait = "&lt;!--" * size
    return f"<title>{bait}</title><h1>{bait}</h1>{BODY}"


def in_title_open(size: int) -> str:
    bait = "&lt;!-- >" * size
    return f"<title>{bait}</title><h1>{bait}</h1>{BODY}"


def in_body(size: int) -> str:
    return page(json.dumps({"@type": "NewsArticle", "articleBody": "<p " * size}))


def in_author(size: int) -> str:
    return page(json.dumps({"@type": "NewsArticle", "author": "a@" * size, "headline": " " * size + "x"}))


def in_meta(size: int) -> str:
    names = ("author", "og:title", "og:site_name", "keywords", "description", "article:published_time", "og:image")
    baits = ("a@", "(", " - ", "<!-- ", "| ", "2024-", "//")
    pairs = zip(names, baits, strict=True)
    return page("{}", "".join(f'<meta name="{name}" content="{escape(bait) * size}">' for name, bait in pairs))


def in_many_authors(size: int) -> str:
    return page(
        json.dumps({"@type": "NewsArticle", "author": [[[f"A B{number}"] * 20] * 20 for number in range(size)]})
    )


@pytest.mark.parametrize(
    ("make", "size"),
    [(in_title, 40_000), (in_title_open, 40_000), (in_body, 12_000), (in_author, 100_000), (in_meta, 40_000)],
)
def test_bait_costs_a_line(make: Callable[[int], str], size: int) -> None:
    assert about_linear(lambda html: clean(html, url=URL).metadata, make, size)


def test_lists_of_lists_of_names_end() -> None:
    assert len(survived(in_many_authors(200)).metadata.authors) <= 50


@pytest.mark.parametrize(
    "node",
    [
        {"author": {"@id": ["x"]}},
        {"author": {"@id": {"@id": "#a"}}},
        {"author": [[[[["A"]]]]], "publisher": [[]]},
        {"@id": ["#a"], "author": {"@id": "['#a']"}},
        {"image": {"@id": {"a": 1}, "url": 5}, "keywords": {"@id": [None]}},
        {"headline": {"@value": {"@value": "x"}}, "datePublished": {"@value": [1]}, "inLanguage": [["en"]]},
        {"isAccessibleForFree": {"a": [1]}, "articleSection": [{"name": 1}], "keywords": [[["x"], 1], None]},
    ],
)
def test_odd_nodes_leave_the_article(node: dict[str, Any]) -> None:
    survived(page(json.dumps({"@type": "NewsArticle", "headline": "Bridge", **node})))


@pytest.mark.parametrize(
    "source",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"@type":"NewsArticle","author":"A B","author":{"author":NaN},"dateModified":-Infinity}',
        '{"@type":"NewsArticle","headline":"\\ud800\\udc00\\ud800 x","author":"\\udfff","@id":"\\ud800"}',
        "\x00",
        "",
    ],
)
def test_odd_sources_leave_the_article(source: str) -> None:
    survived(page(source))


def test_a_number_that_is_too_long_costs_only_itself() -> None:
    source = '{"@type": "NewsArticle", "wordCount": ' + "9" * 6_000 + ', "author": "Jane Doe"}'
    assert survived(page(source)).metadata.authors == ("Jane Doe",)


def test_references_in_a_circle_end() -> None:
    graph = [
        {"@type": "NewsArticle", "@id": "#a", "headline": "Bridge", "author": {"@id": "#b"}, "image": {"@id": "#b"}},
        {"@type": "Person", "@id": "#b", "name": [{"@id": "#a"}, {"@id": "#b"}, "Jane Doe"], "image": {"@id": "#a"}},
    ]
    assert survived(page(json.dumps({"@graph": graph}))).metadata.authors == ("Jane Doe",)


def test_a_field_that_fails_costs_that_field(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    source = '{"@type": "NewsArticle", "author": "Jane Doe", "datePublished": "2024-05-03", "headline": "Bridge opens"}'
    monkeypatch.setattr(extract.authors, "split_names", broken)
    monkeypatch.setattr(extract.titles, "choose", broken)
    with caplog.at_level(logging.ERROR):
        documents = [clean(page(source), url=URL) for _ in range(3)]
        found = [document.metadata for document in documents]
    assert all(SENTENCE.format(4) in document.text for document in documents)
    assert found[0].title == ""
    assert found[0].authors == ()
    assert found[0].published == "2024-05-03"
    assert {*found[0].failed} == {*found[2].failed} == {"title", "authors"}
    told = sorted(record.getMessage().split(" of ")[0].rsplit(" ", 1)[1] for record in caplog.records)
    assert told == ["authors", "title"]
    guarded_fields.logged.clear()


KEYS = st.sampled_from(
    "@id @type @graph @value author creator name headline image url contentUrl publisher keywords datePublished "
    "dateModified dateCreated articleBody articleSection inLanguage isAccessibleForFree description logo sameAs".split()
)
TEXTS = st.one_of(
    st.sampled_from(
        ["NewsArticle", "Person", "WebSite", "#a", "#b", "2024-05-03", "http://[", "//", "a@a", "By A B", "\ud800"]
    ),
    st.text(max_size=30),
    st.sampled_from(["<p ", "&lt;!--", "(", " - ", "\x1b[2J", "\u202e", "İ"]).flatmap(
        lambda piece: st.integers(0, 3_000).map(piece.__mul__)
    ),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.just(10**300), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.one_of(KEYS, TEXTS), inner, max_size=5)),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        "author",
        "og:title",
        "og:type",
        "og:image",
        "og:url",
        "article:published_time",
        "keywords",
        "og:locale",
        "twitter:site",
    ]
)
PROPERTIES = st.sampled_from(["author", "name", "headline", "datePublished", "image", "articleBody", "publisher"])


@given(node=st.dictionaries(KEYS, VALUES, max_size=8), others=st.lists(VALUES, max_size=3))
def test_whatever_json_ld_says_the_article_stays(node: dict[str, Any], others: list[Any]) -> None:
    graph = [{"@type": "NewsArticle", "@id": "#a", **node}, {"@type": "Person", "@id": "#b"}, *others]
    source = json.dumps({"@graph": graph}).replace("</", "<\\/")
    checked(clean(page(source), url=URL))


@given(
    metas=st.lists(st.tuples(NAMES, TEXTS), max_size=8),
    properties=st.lists(st.tuples(PROPERTIES, TEXTS), max_size=6),
    base=TEXTS,
)
def test_whatever_meta_elements_and_microdata_say_it_stays(
    metas: list[tuple[str, str]], properties: list[tuple[str, str]], base: str
) -> None:
    head = "".join(f'<meta name="{name}" property="{name}" content="{escape(text)}">' for name, text in metas)
    head += f'<base href="{escape(base)}"><link rel="canonical" href="{escape(base)}">'
    scope = "".join(
        f'<span itemprop="{name}" content="{escape(text)}" datetime="{escape(text)}" hidden></span>'
        for name, text in properties
    )
    checked(clean(page("{}", head).replace("<article>", f'<article itemscope itemtype="NewsArticle">{scope}'), url=URL))


def checked(document: Document) -> None:
    found = document.metadata
    assert SENTENCE.format(4) in document.text
    assert found.failed == ()
    said = [found.title, *found.authors, *found.tags, *found.types, found.site_name, found.section, found.description]
    assert all(is_clean(text) for text in (*said, found.image, found.canonical_url) if text)
