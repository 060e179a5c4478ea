"""The links of a page, whatever its size."""

from __future__ import annotations

from collections.abc import Mapping

from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from cleancrawl.core.html.dom import fits_tree
from cleancrawl.core.html.head import feed
from cleancrawl.core.html.thinning import may_be_thick
from cleancrawl.crawl.discovery.page_urls import absolute

MOST_LINKS = 10_000
"""Of a page that is too large for a tree, so many are read: no page for readers has them."""


def page_links(response: HtmlResponse, extractor: LinkExtractor) -> Mapping[str, list[str]]:
    """The addresses that a page links to, each once, in its order, with the texts of the links to it.

    Scrapy's extractor works on a tree, which takes hundreds of megabytes where a page has millions of elements. Of
    such a page links are read as they come, without one, and without their texts.
    """
    if fits_tree(response.body) and not may_be_thick(response.text):
        links: dict[str, list[str]] = {}
        for link in extractor.extract_links(response):
            links.setdefault(link.url, []).append(link.text)
        return links
    found = _Links(response.url)
    feed(response.text, found)
    return found.urls


class _Links:
    """A parser target that keeps addresses."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.urls: dict[str, list[str]] = {}

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if tag in ("a", "area") and "href" in attrs and len(self.urls) < MOST_LINKS:
            url = absolute(self.base, attrs["href"])
            if url is not None:
                self.urls.setdefault(url, [])
        elif tag == "base" and "href" in attrs:
            self.base = absolute(self.base, attrs["href"]) or self.base

    def close(self) -> None:
        pass
