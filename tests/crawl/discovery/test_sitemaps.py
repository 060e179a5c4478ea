from __future__ import annotations

import gzip
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.crawl.discovery.sitemaps import MAX_ENTRIES, parse_sitemap, unpack

URL = "https://a.example/sitemap.xml"
NEWS = b"""<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://a.example/storm </loc><lastmod>2026-11-16</lastmod><news:news><news:publication>
<news:name>A</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-11-15T10:00:00Z</news:publication_date>
<news:title>Storm</news:title></news:news><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url>
</urlset>"""


def test_news_fields_are_read() -> None:
    (entry,) = parse_sitemap(NEWS, URL).pages
    assert (entry.url, entry.title, entry.language) == ("https://a.example/storm", "Storm", "en")
    assert (entry.modified, entry.published) == ("2026-11-16", "2026-11-15T10:00:00+00:00")
    assert entry.date == "2026-11-16"


def test_an_index_names_further_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>/b.xml.gz</loc></sitemap><sitemap/></sitemapindex>"
    sitemap = parse_sitemap(gzip.compress(body), URL)
    assert [child.url for child in sitemap.children] == ["https://a.example/b.xml.gz"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<",
        b"<html><body>404",
        b"\x1f\x8b\x08broken",
        b"<urlset>",
        b"not a sitemap",
        b"<url>\xff\xfe",
    ],
)
def test_what_is_no_sitemap_says_nothing(body: bytes) -> None:
    assert parse_sitemap(body, URL).pages == parse_sitemap(body, URL).children == []


def test_a_cut_off_sitemap_is_read_as_far_as_it_goes() -> None:
    assert len(parse_sitemap(b"<urlset><url><loc>/a</loc></url><url><loc>/b</loc", URL).pages) == 2


def test_plain_text_is_a_sitemap_too() -> None:
    assert [entry.url for entry in parse_sitemap(b"https://a.example/1\nhttps://a.example/2\nx", URL).pages] == [
        "https://a.example/1",
        "https://a.example/2",
    ]


def test_entities_are_not_expanded() -> None:
    declared = b'<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY y "boom">]>'
    body = declared + b"<urlset><url><loc>/&y;&x;</loc></url></urlset>"
    assert [entry.url for entry in parse_sitemap(body, URL).pages] == ["https://a.example/"]


def test_limits_hold() -> None:
    assert len(parse_sitemap(b"<urlset>" + b"<url><loc>/a</loc></url>" * (MAX_ENTRIES + 5), URL).pages) == MAX_ENTRIES
    assert len(unpack(gzip.compress(bytes(10_000)), limit=100)) == 100


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes_are_survived(noise: bytes) -> None:
    for body in (noise, b"<urlset><url><loc>" + noise, gzip.compress(noise)[:-2]):
        found = parse_sitemap(body, URL)
        assert all(urlsplit(entry.url).scheme in ("http", "https") for entry in found.pages)


@pytest.mark.parametrize(
    "body", [b'<t xmlns="&#xd800;"><url><loc>/a</loc></url>', b"<x><url>&#xd800;</url><url><loc>/a"]
)
def test_halves_of_characters_are_survived(body: bytes) -> None:
    """lxml takes them and cannot give them back."""
    assert len(parse_sitemap(body, "https://a.example/sitemap.xml").pages) <= 1
