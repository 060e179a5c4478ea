"""A web of what labelled pages link to: real addresses and links, of which only a few pages are at hand.

No set of labelled pages has a site as a whole. But the pages of one site name hundreds of its others, and its editors'
addresses tell a reader which of them are articles. So every address that is linked to answers: an article's with one of
the site's own pages, any other with such a page without its article.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

from lxml import etree
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from cleancrawl.core.html.dom import parse_tree
from cleancrawl.core.site import domain_of
from cleancrawl.core.text.url_spelling import normalise_url
from cleancrawl.core.text.words import normalise
from cleancrawl.lab.bench.datasets import GoldPage

ARTICLES = {
    "apnews.com": r"^apnews\.com/(?:article|sports)/[^/?]*\d",
    "bbc.co.uk": r"^(?:www\.)?bbc\.co\.uk/(?:news|newsbeat|sport)/(?:[\w/-]+-)?\d{7,}$|/hi/[\w/-]+/\d{7}\.stm$",
    "foxnews.com": r"^www\.foxnews\.com/(?!story/|video/|category/|person/|about|shows)[\w-]+/(?:\w*-){3,}[\w-]+$",
    "independent.co.uk": r"^www\.independent\.co\.uk/(?!service/)[\w/-]+-[ab]?\d{7}\.html$",
    "inews.co.uk": r"^inews\.co\.uk/[\w/-]+-\d{6,7}$",
    "theguardian.com": r"^www\.theguardian\.com/[\w/-]+/\d{4}/[a-z]{3}/\d\d/[\w-]+$",
    "theintercept.com": r"^theintercept\.com/\d{4}/\d\d/\d\d/[\w-]+/?$",
    "thenation.com": r"^www\.thenation\.com/article/[\w-]+/[\w-]+/?$",
    "wsj.com": r"/article/SB\d+\.html$|^blogs\.wsj\.com/[\w-]+/\d{4}/\d\d/\d\d/[\w-]+/?$",
}
"""What an article's address looks like, host and path: written by looking at the links of each site."""

PARAGRAPHS = ("p", "blockquote", "pre")
TEXT_TAGS = (*PARAGRAPHS, "h1", "h2", "h3", "li", "div", "span")
FEW_WORDS = 8
ARTICLE_HEAD = re.compile(r"ld\+json|article|og:type|description|author", re.I)


@dataclass(frozen=True, slots=True)
class LinkedSite:
    """A site as far as its pages link to it."""

    name: str
    front: str
    bodies: tuple[bytes, ...]
    pages: Mapping[str, int]
    """By address: which body it answers with."""
    articles: frozenset[str]


@dataclass(slots=True)
class Replay:
    """Downloader middleware: answers from a site, and notes which pages were asked for, in their order."""

    site: LinkedSite
    asked: list[str] = field(default_factory=list)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Replay:
        replay: Replay = crawler.settings["REPLAY"]
        return replay

    def process_request(self, request: Request) -> Response:
        body = self.site.pages.get(request.url)
        if body is None:
            return Response(request.url, status=404, request=request)
        self.asked.append(request.url)
        headers = {"Content-Type": "text/html; charset=utf-8"}
        return HtmlResponse(request.url, headers=headers, body=self.site.bodies[body], encoding="utf-8")


def linked_sites(pages: Iterable[GoldPage]) -> list[LinkedSite]:
    """The sites among labelled pages of which it is known what their articles' addresses look like."""
    by_site: dict[str, list[GoldPage]] = {}
    for page in pages:
        if page.url and page.domain in ARTICLES:
            by_site.setdefault(page.domain, []).append(page)
    return [linked_site(name, found, ARTICLES[name]) for name, found in sorted(by_site.items())]


def linked_site(name: str, pages: Sequence[GoldPage], article: str) -> LinkedSite:
    is_article = re.compile(article)
    found: dict[str, None] = {}
    for page in pages:
        found |= dict.fromkeys(links_of(page, name))
    host = urlsplit(normalise_url(pages[0].url or "")).netloc
    front = f"{urlsplit(pages[0].url or '').scheme}://{host}/"
    whole, frames = cycle(range(len(pages))), cycle(range(len(pages), 2 * len(pages)))
    articles = frozenset(url for url in found if url != front and is_article.search(place_of(url)))
    return LinkedSite(
        name,
        front,
        (*(page.html().encode() for page in pages), *map(without_article, pages)),
        {front: len(pages)} | {url: next(whole if url in articles else frames) for url in found if url != front},
        articles,
    )


def links_of(page: GoldPage, site: str) -> list[str]:
    """The addresses of the same site that a page links to, and its own, in one spelling."""
    response = HtmlResponse(page.url or "", body=page.html().encode(), encoding="utf-8")
    urls = []
    for link in (page.url or "", *(link.url for link in LinkExtractor().extract_links(response))):
        try:
            url = normalise_url(link)
        except ValueError:
            continue
        if domain_of(url) == site:
            urls.append(url)
    return urls


def place_of(url: str) -> str:
    """Host and path.

    >>> place_of("https://a.example/b?c=d")
    'a.example/b'
    """
    parts = urlsplit(url)
    return parts.netloc + parts.path


def without_article(page: GoldPage) -> bytes:
    """The page without its paragraphs, the lines of its gold text and what calls it an article in its head.

    What is left is what other pages of the site have as well: menus, teasers, boxes.
    """
    lines = {normalise(line) for line in (page.text or "").splitlines()} - {""}
    tree = parse_tree(page.html())
    for element in list(tree.iter(*TEXT_TAGS)):
        if element.getparent() is not None:
            text = normalise("".join(element.itertext()))
            if text in lines or (element.tag in PARAGRAPHS and text.count(" ") >= FEW_WORDS):
                element.drop_tree()
    for element in [*tree.iter("script"), *tree.iter("meta")]:
        if element.getparent() is not None and ARTICLE_HEAD.search(" ".join(element.values())):
            element.drop_tree()
    source: bytes = etree.tostring(tree, method="html", encoding="utf-8")
    return source
