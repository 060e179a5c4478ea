from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.crawl.discovery.feeds import parse_feed
from tests.growth import about_linear

URL = "https://a.example/feed"
RSS = b"""<rss version="2.0"><channel><language>en</language><item><title>Storm</title><link>/storm</link>
<pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate></item><item><title>no link</title></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Storm</title><link href="https://a.example/storm"/>
<updated>2026-11-15T12:00:00+02:00</updated></entry></feed>"""
JSON = json.dumps({"items": [{"url": "/storm", "title": "Storm", "date_published": "2026-11-15T10:00:00Z"}, {}, 3]})


@pytest.mark.parametrize("body", [RSS, ATOM, JSON.encode()])
def test_each_kind_of_feed_is_read(body: bytes) -> None:
    (entry,) = parse_feed(body, URL)
    assert (entry.url, entry.title, entry.date) == ("https://a.example/storm", "Storm", "2026-11-15T10:00:00+00:00")


@pytest.mark.parametrize(
    "body", [b"", b"nothing", b"<html><p>404", b"{", b"{}", b'{"items": 3}', b"<rss><channel/></rss>"]
)
def test_what_is_no_feed_has_no_entries(body: bytes) -> None:
    assert parse_feed(body, URL) == []


def test_a_broken_feed_is_read_as_far_as_it_goes() -> None:
    assert [entry.url for entry in parse_feed(RSS[: RSS.index(b"<item><title>no")], URL)] == ["https://a.example/storm"]


@settings(deadline=None, max_examples=30)
@given(st.binary(max_size=200))
def test_any_bytes_are_survived(noise: bytes) -> None:
    for body in (noise, RSS[:60] + noise, b'{"items": [' + noise):
        assert all(urlsplit(entry.url).scheme in ("http", "https") for entry in parse_feed(body, URL))


@pytest.mark.parametrize(
    "body",
    [b"<>&#x110000;", b"<>&#xd800;", b"<>&#9999999999;", b'<?encoding="\xe2"?>', RSS.replace(b"Storm", b"&#xdfff;")],
)
def test_impossible_characters_and_encodings_are_survived(body: bytes) -> None:
    assert len(parse_feed(body, URL)) <= 1


def test_one_long_word_in_no_encoding_is_read_in_about_linear_time() -> None:
    """The parser's detection of encodings grew with the square: 20 kB took 9 s."""

    def feed(size: int) -> bytes:
        return RSS.replace(b"<rss", b'<?xml version="1.0" encoding="utf-8"?><rss a="' + b"ents" * size + b'\xff"', 1)

    (entry,) = parse_feed(feed(100), URL)
    assert entry.url == "https://a.example/storm"
    assert about_linear(lambda body: parse_feed(body, URL), feed, 8_000)


def test_a_feed_in_another_encoding_is_read() -> None:
    body = b'<?xml version="1.0" encoding="windows-1251"?>' + RSS.replace(b"Storm", "Шторм".encode("cp1251"))
    assert [entry.title for entry in parse_feed(body, URL)] == ["Шторм"]


def test_a_declaration_that_never_ends_is_read_in_about_linear_time() -> None:
    assert about_linear(
        lambda body: parse_feed(body, URL), lambda size: b"<?xml" + b' encoding="utf-8"?"1.0"' * size + RSS, 1_600
    )
