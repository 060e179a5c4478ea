"""Is a cleaned page an article? The plain facts: enough running text that is not mostly links."""

from __future__ import annotations

from urllib.parse import urlsplit

from cleancrawl.core.page import Page

MAX_LINK_SHARE = 0.5


def why_no_article(page: Page, min_words: int) -> str | None:
    """The reason why a cleaned page is no article, or None where it is one.

    >>> why_no_article(Page("", "https://a.example/story"), 30)
    'empty'
    """
    kept = page.kept
    words = sum(block.words for block in kept)
    if not words:
        return "empty"
    if page.url and urlsplit(page.url).path in ("", "/"):
        return "front-page"
    if words < min_words:
        return "too-short"
    if sum(block.link_words for block in kept) > MAX_LINK_SHARE * words:
        return "listing"
    return None
