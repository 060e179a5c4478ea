from __future__ import annotations

import random

from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.feed_texts import MOST, FeedTexts
from cleancrawl.crawl.discovery.feeds import parse_feed

FEED = "https://a.example/feed.xml"


def text(seed: int, size: int = 2_000) -> str:
    """What cannot be packed well."""
    return random.Random(seed).randbytes(size // 2).hex()


def test_texts_that_wait_are_bounded() -> None:
    texts = FeedTexts(most_bytes=20_000)
    entries = [Entry(f"https://a.example/{number}", content=text(number)) for number in range(100)]
    assert texts.add(entries, FEED) == 100
    assert 0 < texts.bytes <= 20_000
    assert texts.take(["https://a.example/0"]) is None
    found = texts.take(["https://a.example/99?utm_source=rss"])
    assert found is not None
    assert found.html == text(99)
    assert texts.take(["https://a.example/99"]) is None
    assert texts.add([Entry("https://a.example/x", content=text(1, MOST + 2))], FEED) == 0
    for number in range(100):
        texts.take([f"https://a.example/{number}"])
    assert (len(texts), texts.bytes) == (0, 0)


def test_only_a_text_for_an_own_page_is_kept() -> None:
    texts = FeedTexts()
    entries = [Entry("https://b.example/1", content=text(1)), Entry("https://a.example/2", content="short")]
    assert texts.add([*entries, Entry("https://a.example/3")], FEED) == 0
    assert texts.add([Entry("https://news.paper.com/4", content=text(1))], "https://paper.com/rss") == 1


def test_what_came_late_is_told_once() -> None:
    texts = FeedTexts()
    texts.want("https://a.example/1?utm_source=x")
    entries = [Entry("https://a.example/1", content=text(1)), Entry("https://a.example/2", content=text(2))]
    texts.add(entries, FEED)
    assert texts.come_late(entries) == ["https://a.example/1"]
    assert texts.come_late(entries) == []


def test_content_of_any_shape_is_read_or_left() -> None:
    body = b'{"items": [{"url": "/1", "content_html": 7}, {"url": "/2", "content_text": "a < b\\nc"}, {"url": "/3"}]}'
    assert [entry.content for entry in parse_feed(body, FEED)] == [None, "a &lt; b<br>c", None]
    rss = (
        b'<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><link>/1</link>'
        b"<description>d</description><content:encoded>&lt;p&gt;x&lt;/p&gt;</content:encoded></item>"
        b"<item><link>/2</link><description>only this</description></item></channel></rss>"
    )
    assert [entry.content for entry in parse_feed(rss, FEED)] == ["<p>x</p>", None]
