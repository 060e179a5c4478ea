from __future__ import annotations

import gzip
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.crawl.discovery import packed
from cleancrawl.crawl.discovery.packed import unpack
from cleancrawl.crawl.discovery.sitemaps import MAX_ENTRIES, SitemapReader, parse_sitemap
from tests.growth import about_linear
from tests.measuring import peak_memory

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


def test_entities_are_not_expanded_wherever_a_piece_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'<!DOCTYPE u [<!ENTITY boom "boom">]><urlset><url><loc>/a&amp;b&boom;c</loc></url></urlset>'
    for size in range(1, len(body)):
        monkeypatch.setattr(packed, "PIECE", size)
        assert [entry.url for entry in parse_sitemap(body, URL).pages] == ["https://a.example/a&bc"], size


def test_only_the_entry_with_half_a_character_suffers() -> None:
    body = b"<urlset><url><loc>/a&#xd800;&#57343;</loc></url><url><loc>/b&#65;</loc></url></urlset>"
    assert [entry.url for entry in parse_sitemap(body, URL).pages] == ["https://a.example/a", "https://a.example/bA"]


@pytest.mark.parametrize("piece", [b"<url><a/></url>", b"<url>", b"see https://a.example/ and so on\n"])
def test_a_sitemap_without_end_is_read_to_a_limit(piece: bytes) -> None:
    reader, fed = SitemapReader(URL, entries=1_000), 0
    reader.feed(b"<urlset><url><loc>/a</loc></url>" if piece.startswith(b"<") else b"https://a.example/a\n")
    while not reader.full and fed < 40_000_000:
        reader.feed(piece * 20_000)
        fed += len(piece) * 20_000
    assert fed < 40_000_000
    assert reader.close().pages[0].url == "https://a.example/a"
    assert len(reader.sitemap.pages) <= 1_000


@pytest.mark.parametrize("piece", [b"<url><a/></url>", b"<url><loc>", b"<!--a", b"&a", b"<url ", b"<a b='c", b"ab "])
def test_memory_does_not_grow_with_a_sitemap_and_time_does_no_more_than_it(piece: bytes) -> None:
    def packed_sitemap(size: int) -> bytes:
        return gzip.compress(b"<urlset><url><loc>/a</loc></url>" + piece * (size // len(piece)))

    def most_memory(size: int) -> int:
        body = packed_sitemap(size)
        return peak_memory(lambda: parse_sitemap(body, URL))

    assert most_memory(800_000) < 2 * most_memory(100_000)
    assert about_linear(lambda body: parse_sitemap(body, URL), packed_sitemap, 400_000)
