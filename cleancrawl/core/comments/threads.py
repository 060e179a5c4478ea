"""Pages whose thread is the content: forums, questions with answers."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote, urlsplit

from cleancrawl.core.html import json_ld
from cleancrawl.core.page import Page
from cleancrawl.core.text.language_words import phrases
from cleancrawl.data import read_sections

_TOKEN = re.compile(r"[^\W\d_]+")
_GENERATORS = re.compile(
    r"discourse|phpbb|xenforo|vbulletin|flarum|nodebb|mybb|smf|vanilla|lemmy|invision|bbpress", re.I
)


@cache
def _forum_words() -> frozenset[str]:
    return frozenset(phrases("url-forum"))


@cache
def _types(kind: str) -> frozenset[str]:
    return frozenset(name for line in read_sections("schema_types.txt")[kind] for name in line.split())


def is_thread(page: Page) -> bool:
    """Whether a page says that it is a discussion: in JSON-LD, by the program that made it, or in its address.

    An address alone does not tell where the page says that it is an article.
    """
    types: set[str] = set()
    for node in json_ld.nodes(page.head.linked_data):
        types |= json_ld.types(node)
    is_article = bool(types & _types("article"))
    if types & _types("forum") and not is_article:
        return True
    for name, content in page.head.meta:
        if name == "generator" and _GENERATORS.search(content):
            return True
        is_article = is_article or (name == "og:type" and content.strip().lower() == "article")
    if "forum" in (page.url or "").lower().split("?")[0]:
        return True
    return not is_article and bool(_address_words(page.url or "") & _forum_words())


def _address_words(url: str) -> set[str]:
    """The words of a URL; of its last segment, which is the page's own name, the first.

    >>> sorted(_address_words("https://forum.example.org/t/a-bridge"))
    ['a', 'forum', 't']
    """
    try:
        parts = urlsplit(url)
        segments = [segment for segment in unquote(parts.path).lower().split("/") if segment]
        host = (parts.hostname or "").split(".")[:-2]
    except ValueError:
        return set()
    words = {token for segment in segments[:-1] for token in _TOKEN.findall(segment)}
    first = _TOKEN.match(segments[-1]) if segments else None
    return words | set(host) | ({first[0]} if first else set())
