from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Page, clean
from cleancrawl.core.metadata.extract import extract
from cleancrawl.core.metadata.metadata import Metadata

URL = "https://www.herald.example/2024/05/03/storm"
GRAPH = """<script type="application/ld+json"><!-- {"@context": "https://schema.org", "@graph": [
  {"@type": "Organization", "@id": "#org", "name": "The Herald"},
  {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
  {"@type": ["NewsArticle"], "headline": "Storm hits the coast", "datePublished": "2024-05-03T10:00:00+02:00",
   "dateModified": "2024-05-04T09:30:00+02:00", "author": [{"@id": "#jane"}, {"@type": "Person", "name": "John Smith"}],
   "publisher": {"@id": "#org"}, "articleSection": "Weather", "keywords": ["storm", "coast"],
   "image": {"@type": "ImageObject", "url": "/lead.jpg"}, "isAccessibleForFree": "False",},
]} --></script>"""


def metadata(head: str = "", body: str = "", url: str = URL) -> Metadata:
    return extract(Page(f"<html><head>{head}</head><body>{body}</body></html>", url))


@pytest.mark.parametrize("key", ["author", "publisher", "keywords", "headline", "image", "@graph"])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('[{"name":', "}]")])
def test_names_in_hundreds_of_lists_are_not_read(key: str, opened: str, closed: str) -> None:
    nested = f'{{"@type": "NewsArticle", "{key}": {opened * 500}"x"{closed * 500}}}'
    found = metadata(f'<script type="application/ld+json">{nested}</script><title>T</title>')
    assert (found.title, found.authors) == ("T", ())


def test_names_in_a_few_lists_are() -> None:
    nested = '{"@type": "NewsArticle", "author": [[[["Jane Doe"]], {"name": ["John Smith"]}]]}'
    found = metadata(f'<script type="application/ld+json">{nested}</script>')
    assert found.authors == ("Jane Doe", "John Smith")


def test_json_ld_in_a_graph_with_references_comments_and_trailing_commas() -> None:
    found = metadata(GRAPH)
    assert found.title == "Storm hits the coast"
    assert found.authors == ("Jane Doe", "John Smith")
    assert found.published == "2024-05-03T10:00:00+02:00"
    assert found.modified == "2024-05-04T09:30:00+02:00"
    assert (found.site_name, found.section, found.tags) == ("The Herald", "Weather", ("storm", "coast"))
    assert found.image == "https://www.herald.example/lead.jpg"
    assert found.paywalled is True
    assert "newsarticle" in found.types


def test_open_graph_and_meta_elements() -> None:
    found = metadata(
        '<title>Storm | The Herald</title><meta property="og:title" content="Storm hits coast | The Herald">'
        '<meta property="og:site_name" content="The Herald"><meta name="author" content="By JANE DOE">'
        '<meta property="article:published_time" content="2024-05-03T08:00:00Z">'
        '<meta property="og:type" content="article">'
        '<link rel="canonical" href="/storm"><meta name="description" content=" What  happened. ">'
        '<meta property="article:tag" content="storm"><meta property="og:image" content="//cdn.example/a.jpg">'
    )
    assert found.title == "Storm hits coast"
    assert found.authors == ("Jane Doe",)
    assert found.published == "2024-05-03T08:00:00+00:00"
    assert found.canonical_url == "https://www.herald.example/storm"
    assert (found.description, found.tags, found.types) == ("What happened.", ("storm",), ("og:article",))
    assert found.image == "https://cdn.example/a.jpg"
    assert found.paywalled is None


@pytest.mark.parametrize(
    ("body", "authors", "published"),
    [
        ('<h1>A</h1><p class="byline">By <a>Jane Doe</a></p><time datetime=2023-02-01>', ("Jane Doe",), "2023-02-01"),
        ('<h1>A b c</h1><a rel="author" href="/x">Jane</a><p>Vom 1. Februar 2023</p>', ("Jane",), "2023-02-01"),
        ('<h1>A b c</h1><div class="comment-author">Troll Face</div><p>1 de febrero de 2023</p>', (), "2023-02-01"),
        ('<h1>A b c</h1><span class="author">Read more</span><p>2023年2月1日</p>', (), "2023-02-01"),
    ],
)  # fmt: skip
def test_what_readers_see_serves_where_structured_data_is_silent(
    body: str, authors: tuple[str, ...], published: str
) -> None:
    found = metadata(body=body, url="https://www.herald.example/storm")
    assert (found.authors, found.published) == (authors, published)


PARAGRAPH = (
    "<p>"
    + "The storm reached the coast in the night and the harbour was closed for all ships until noon. " * 3
    + "</p>"
)


@pytest.mark.parametrize(
    ("head", "lines", "authors"),
    [
        ("", "<p>By Jane Doe and John Smith | May 3, 2024</p>", ("Jane Doe", "John Smith")),
        ("", "<p>Von</p><p>Max Muster</p>", ("Max Muster",)),
        ("", "<p>ByJane DoeUpdated: May 3, 2024</p>", ("Jane Doe",)),
        ("", "<p>By Jane</p>", ("Jane",)),
        ("", "<p>By Admin</p>", ()),
        ("", "<p>By the sea the storm was worst.</p>", ()),
        ('<meta name="author" content="The Herald">', "<p>By Jane Doe</p>", ("Jane Doe",)),
        ('<meta name="author" content="herald.example">', "<p>By Jane Doe</p>", ("Jane Doe",)),
        ('<meta name="author" content="The Herald">', "<p>Weather</p>", ("The Herald",)),
        ('<meta name="author" content="John Smith">', "<p>By Jane Doe</p>", ("John Smith",)),
        (
            '<script type="application/ld+json">{"@type": "Article", '
            '"author": {"@type": "Organization", "name": "Wire"}}</script>',
            "<p>By Jane Doe</p>",
            ("Jane Doe",),
        ),
    ],
)  # fmt: skip
def test_a_byline_goes_before_the_publisher(head: str, lines: str, authors: tuple[str, ...]) -> None:
    page = (
        '<html lang=en><head><title>Storm hits the coast</title><meta property="og:site_name" content="The Herald">'
        f"{head}</head><body><h1>Storm hits the coast</h1>{lines}{PARAGRAPH}{PARAGRAPH}</body></html>"
    )
    assert clean(page, URL).metadata.authors == authors


@pytest.mark.parametrize(
    ("headings", "title"),
    [
        ("<h1>Gabby’s Weather Blog</h1><h2>The storm that hit the coast</h2>", "The storm that hit the coast"),
        ("<h1><span>Weather</span> The storm that hit the coast</h1>", "The storm that hit the coast"),
        ("<h1>Warning: The storm that hit the coast</h1>", "Warning: The storm that hit the coast"),
        ("<h1>Severe weather<br>in the north</h1>", "The storm that hit the coast"),
    ],
)  # fmt: skip
def test_the_headline_among_headings(headings: str, title: str) -> None:
    page = (
        "<title>Gabby’s Weather Blog: The storm that hit the coast</title>"
        '<meta property="og:title" content="The storm that hit the coast">'
        f"<body>{headings}{PARAGRAPH}{PARAGRAPH}"
    )
    assert clean(page, URL).metadata.title == title


def test_authors_of_a_paper_are_not_those_of_its_references() -> None:
    found = metadata(
        '<meta name="citation_author" content="Doe, Jane"><meta name="citation_author" content="John Smith">',
        '<ul><li><meta itemprop="author" content="A. Nother">On storms</li></ul>',
    )
    assert found.authors == ("Jane Doe", "John Smith")


def test_an_image_is_looked_up_in_the_graph_and_is_an_address() -> None:
    head = (
        '<script type="application/ld+json">{"@graph": ['
        '{"@type": "Article", "headline": "A", "image": {"@id": "/a#lead"}},'
        '{"@type": "ImageObject", "@id": "/a#lead", "url": "/img/lead image.jpg"}]}</script>'
    )
    assert metadata(head).image == "https://www.herald.example/img/lead%20image.jpg"
    described = '<script type="application/ld+json">{"@type": "Article", "image": {"name": "A harbour"}}</script>'
    assert metadata(described).image is None
    assert (
        metadata(described + '<meta property="og:image" content="/og.jpg">').image
        == "https://www.herald.example/og.jpg"
    )
    assert metadata('<link rel=canonical href="Not an address">').canonical_url is None


def test_labels_are_unescaped_and_short() -> None:
    found = metadata(
        '<script type="application/ld+json">{"@type": "Article", "articleSection": "Food &amp; Drink",'
        '"keywords": ["M&amp;A"], "description": "It&#039;s\\n <b>here</b>"}</script>'
        f'<meta property="og:site_name" content="{"A long motto " * 20}">'
    )
    assert (found.section, found.tags, found.description) == ("Food & Drink", ("M&A",), "It's here")
    assert found.site_name is None
    assert metadata('<meta property="article:section" content="Food, drink, tags, more">').section == "Food"


def test_boilerplate_is_no_author() -> None:
    for name in ("admin", "@herald", "https://www.facebook.com/herald", "jane@herald.example", "Unknown"):
        assert metadata(f'<meta name="author" content="{name}">').authors == ()


def test_a_date_in_the_future_is_no_date() -> None:
    future = (datetime.now(UTC) + timedelta(days=40)).isoformat()
    found = metadata(f'<meta property="article:published_time" content="{future}">', url="https://e.example/a")
    assert found.published is None


def test_of_a_time_still_to_come_only_the_day_is_taken() -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    found = metadata(
        f'<meta property="article:published_time" content="{soon.isoformat()}">', url="https://e.example/a"
    )
    assert found.published == soon.date().isoformat()


def test_broken_json_ld_and_urls_are_passed_over() -> None:
    head = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": </script>'
    found = metadata(head + '<link rel="canonical" href="http://[broken"><title>A title here</title>')
    assert (found.title, found.canonical_url) == ("A title here", None)


def test_an_undeclared_language_is_detected_from_the_text() -> None:
    text = "Der Rat der Stadt hat am Montag beschlossen, dass die alte Brücke bis zum Sommer erneuert wird. " * 5
    assert clean(f"<h1>Brücke</h1><p>{text}</p>").metadata.language == "de"
    assert clean(f"<html lang=fr><h1>Brücke</h1><p>{text}</p>").metadata.language == "fr"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["author", "date", "og:title", "article:published_time", "keywords"]))
def test_no_content_makes_it_raise(content: str, name: str) -> None:
    quoted = content.replace('"', "'")
    found = metadata(
        f'<meta name="{name}" content="{quoted}"><script type="application/ld+json">{content}</script>',
        f'<h1>{content}</h1><p class="byline {quoted}">{content}</p><time datetime="{quoted}">{content}',
    )
    for day in filter(None, (found.published, found.modified)):
        assert datetime.fromisoformat(day) < datetime.now(datetime.fromisoformat(day).tzinfo) + timedelta(days=2)
    for said in (found.title, *found.authors, *found.tags, found.section, found.description):
        assert said is None or said == " ".join(said.split()), said
