from __future__ import annotations

import json
import sys
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.crawl.discovery import feeds
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


@pytest.mark.parametrize("start", [b"<rss><channel>", b'<feed xmlns="http://www.w3.org/2005/Atom">', b'{"items": ['])
def test_of_a_feed_that_is_too_large_the_first_entries_are_read(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MAX_TAGS", 4_000)
    monkeypatch.setattr(feeds, "MAX_BYTES", 100_000)
    kinds = {
        b"<r": "<item><title>{0}</title><link>/storm-{0}</link></item>",
        b"<f": '<entry><title>{0}</title><link href="/storm-{0}"/></entry>',
        b"{": '{{"title": "{0}", "url": "/storm-{0}"}},',
    }
    shape = next(shape for first, shape in kinds.items() if start.startswith(first))
    entries = parse_feed(start + "".join(shape.format(number) for number in range(90_000)).encode(), URL, 900)
    assert 500 < len(entries) <= 900
    assert [entry.url for entry in entries] == [f"https://a.example/storm-{number}" for number in range(len(entries))]


def test_work_ends_where_a_feed_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MAX_TAGS", 1_000)

    def calls(tags: int) -> int:
        count = 0

        def noted(*_: object) -> None:
            nonlocal count
            count += 1

        body = b"<rss><channel>" + b"<item><link>/storm</link></item>" * (tags // 4)
        sys.setprofile(noted)
        try:
            assert parse_feed(body, URL)
        finally:
            sys.setprofile(None)
        return count

    assert calls(16_000) < 2 * calls(2_000)


def test_a_json_feed_that_breaks_off_is_read_as_far_as_it_goes() -> None:
    assert [entry.url for entry in parse_feed(JSON[: JSON.index("{}")].encode(), URL)] == ["https://a.example/storm"]
