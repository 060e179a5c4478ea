"""Which page an item of a spider is about: the one that it was found on, or one that is linked there."""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.http import Response

from cleancrawl.core.page import Page
from cleancrawl.core.text.url_spelling import spelling

URL_FIELDS = ("url", "link", "href")
"""Where an item says which page it is about, first to last."""
OVERVIEWS = frozenset({"front-page", "listing", "search"})
"""Kinds of pages that show many: an item that names no page is one of these there."""


def stated_url(item: Any) -> str | None:
    """The address that an item gives, as it is written; item loaders make lists of one.

    >>> stated_url({"link": ["/storm"]}), stated_url({"title": "Storm"}), stated_url({"url": ""})
    ('/storm', None, None)
    """
    adapter = ItemAdapter(item)
    for name in URL_FIELDS:
        value = adapter.get(name)
        if isinstance(value, (list, tuple)) and value:
            value = value[0]
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None


def is_about(item: Any, response: Response, page: Page) -> bool:
    """Whether an item is about the page that it was found on; one that names no page is.

    A page goes by the address that it was asked for, by those that it was redirected to, and by its canonical link.
    """
    stated = stated_url(item)
    if stated is None:
        return True
    asked = response.meta.get("redirect_urls", ()) if response.request else ()
    canonical = (href for rel, href, _ in page.head.links if "canonical" in rel.split())
    own = {spelling(response.url, url) for url in (response.url, *asked, *canonical)}
    return spelling(response.url, stated) in own
