"""*The Pier Gazette*, whose feed has whole texts, and whose pages have not: one is paid for, one is empty."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from tests.site.source import articles, gold_text


@dataclass(frozen=True)
class Story:
    path: str
    title: str
    gold: list[str]


@dataclass(frozen=True)
class Entry:
    """An entry of a feed: what it has as the text of a story."""

    story: Story
    lines: Sequence[str]
    more: str = ""


ARTICLES = tuple(
    Story(f"/2026/03/{name}-in-the-gazette", articles()[name].title, gold_text(articles()[name]).strip().split("\n"))
    for name in ("seagrass", "lighthouse", "bakery", "orchestra")
)


def teaser(story: Story) -> list[str]:
    return story.gold[:2]


def page(story: Story, lines: Sequence[str], *, paywalled: bool = False) -> str:
    data = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.title,
        "datePublished": "2026-03-02T08:00:00Z",
        "isAccessibleForFree": not paywalled,
    }
    body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return _frame(story.title, f"<article><h1>{escape(story.title)}</h1>{body}</article>", json.dumps(data))


def front_page(stories: Iterable[Story]) -> str:
    links = "".join(f"<li><a href='{story.path}'>{escape(story.title)}</a></li>" for story in stories)
    return _frame("The Pier Gazette", f"<ul>{links}</ul>")


def _frame(title: str, main: str, data: str = "") -> str:
    script = f"<script type='application/ld+json'>{data}</script>" if data else ""
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{escape(title)}</title>{script}"
        "<link rel='alternate' type='application/rss+xml' href='/feed.xml'></head><body><nav><a href='/'>Home</a></nav>"
        f"<main>{main}</main><footer><p>© The Pier Gazette</p></footer></body></html>"
    )


def rss(base: str, entries: Iterable[Entry]) -> str:
    items = "".join(
        f"<item><title>{escape(entry.story.title)}</title><link>{base}{entry.story.path}?utm_source=rss</link>"
        f"<description>{escape(entry.story.gold[0])}</description><content:encoded><![CDATA["
        + "".join(f"<p>{escape(line)}</p>" for line in entry.lines)
        + f"{entry.more}]]></content:encoded></item>"
        for entry in entries
    )
    return (
        '<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>'
        f"<title>The Pier Gazette</title><link>{base}/</link>{items}</channel></rss>"
    )
