"""Sitemaps, feeds and robots.txt that have no end, or are larger than they look."""

from __future__ import annotations

import gzip
from functools import cache, partial

from cleancrawl.lab.bench.hostile.attack_table import again_and_again, attack, numbered

_UNPACKED = 50_000_000
_SITEMAP = "<urlset><url><loc>/the-old-bridge</loc></url>"
_ITEM = "<item><title>The bridge #</title><link>/bridge-#</link><pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate></item>"

_SITEMAPS = {
    "sitemap of entries": "<url><loc>/the-old-bridge</loc><lastmod>2026-11-16</lastmod></url>",
    "sitemap of entries without an address": "<url><a/></url>",
    "sitemap of unknown elements": "<x></x>",
    "sitemap without an end tag": "<url><loc>",
    "sitemap in a comment": "<!--a",
    "sitemap of references": "&a;&amp;&#xd800;",
    "sitemap of attributes": "<url a='b'><loc c='d'>/",
    "sitemap of plain text": "https://news.example/a b ",
}
_FEEDS = {
    "feed of entries": _ITEM.replace("#", "1"),
    "feed of empty entries": "<item/>",
    "feed of unknown elements": "<a/>",
    "feed of links": "<link/>",
    "feed without an end tag": "<item><title>",
    "feed of dates": "<pubDate>Sun, 15 Nov 2026 10:00:00 GMT</pubDate>",
    "feed of references": "&amp;&lt;&#65;",
}
_ROBOTS = {
    "robots.txt of rules": "Disallow: /a#\n",
    "robots.txt of wild cards": "Disallow: /*a*#*a\n",
    "robots.txt of agents": "User-agent: a#\nDisallow: /\n",
    "robots.txt of sitemaps": "Sitemap: /map-#.xml\n",
}


def _sitemap(piece: str, size: int) -> bytes:
    return again_and_again(piece, size, "" if piece.startswith("http") else _SITEMAP)


def _feed(piece: str, size: int) -> bytes:
    return again_and_again(piece, size, "<rss><channel><title>News</title>")


def _robots(piece: str, size: int) -> bytes:
    return numbered(piece, size, "User-agent: *\n")


@cache
def _bomb(piece: str, start: str) -> bytes:
    return gzip.compress(again_and_again(piece, _UNPACKED, start), mtime=0)


for _name, _piece in _SITEMAPS.items():
    attack(_name, "sitemap")(partial(_sitemap, _piece))
for _name, _piece in _FEEDS.items():
    attack(_name, "feed")(partial(_feed, _piece))
for _name, _piece in _ROBOTS.items():
    attack(_name, "robots")(partial(_robots, _piece))


@attack("packed sitemap of 50 MB", "sitemap")
def packed_sitemap(size: int) -> bytes:
    """What follows the packed part is for its size alone."""
    return _bomb("<url><a/></url>", _SITEMAP).ljust(size, b"\0")


@attack("packed feed of 50 MB", "feed")
def packed_feed(size: int) -> bytes:
    return _bomb(_ITEM, "<rss><channel>").ljust(size, b"\0")


@attack("JSON feed of items", "feed")
def json_items(size: int) -> bytes:
    return numbered('{"url": "/bridge-#"},', size, '{"items": [')


@attack("JSON feed of empty items", "feed")
def empty_json_items(size: int) -> bytes:
    return again_and_again("{},", size, '{"items": [')


@attack("crawl of a site with endless sitemaps", "site")
def endless_sitemaps(size: int) -> bytes:
    return numbered("Sitemap: /map-#.xml\n", size)


@attack("crawl of a site with an endless robots.txt", "site")
def endless_robots(size: int) -> bytes:
    return again_and_again("# so it goes\n", size, "User-agent: *\nDisallow: /a\n")
