"""Pages of a blog that show several posts in full, each under a heading that leads to its own page: listings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any
from urllib.parse import urldefrag, urljoin

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import TAG_IDS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.site import domain_of

POSTS = "whole-posts"
"""Under this name a page remembers whether any of its headings may be that of a post."""
SHOWN = "shown-posts"
"""… and how many posts its tree has at which address, where it was asked."""
_ARTICLE = TAG_IDS["article"]
_HEADINGS = frozenset({"h1", "h2", "h3"})
_FEWEST_WORDS = 40
"""Of a post: less is a teaser."""
_INTRODUCTION = 25
"""Words below a headline: what follows are parts of one article, such as reviews that have pages of their own."""
_SHARE = 0.6
"""Of the kept words that stand in such posts."""
_LINKED = 0.8
_MOST_HEADINGS = 200
_LEVELS = 8
_POST = re.compile(r"(?:^|\s)(?:h-?entry|post|blog-?post|post-text|entry|type-post)(?:\s|$)")
_NUMBERED = re.compile(r"/(?:index|page)[-_/]?\d{1,5}(?:\.html?)?/?$", re.IGNORECASE)
_ARCHIVE = re.compile(
    r"/(?:authors?|autor|autoren|auteurs?|autori|autores|category|categories|categorie|categoria|categorias|kategorie|tags?)/[^/]++/?$",
    re.IGNORECASE,
)
"""All that somebody has written, or that is about something: it may be one post."""


def shows_posts(page: Page, url: str) -> bool:
    """Whether a page consists of posts that have pages of their own; one is enough where the address is numbered or
    that of an archive (``/author/NAME``).

    Headings that lead elsewhere are in many articles. Here each stands in an element of its own for its post, and
    nearly all of the text is in these.
    """
    address = url.partition("?")[0]
    fewest = 1 if _NUMBERED.search(address) or _ARCHIVE.search(address) else 2
    # From the blocks alone, since hardly any page passes it.
    if _linked_sections(page) < fewest:
        return False
    known: tuple[str, int] | None = page.remembered(SHOWN)
    if known is None or known[0] != url:
        known = page.remember(SHOWN, (url, _posts(page, url)))
    return known[1] >= fewest


def may_show_posts(page: Page) -> bool:
    """Whether a page may turn out to consist of posts if less of it is kept: then its source has to be asked."""
    return any(count >= _FEWEST_WORDS for count in _below_links(page)[0])


def _linked_sections(page: Page) -> int:
    """Headings that are links, with enough text below each; 0 where much of the text is elsewhere, or where
    the page has a headline with text of its own."""
    counts, introduction = _below_links(page)
    if introduction >= _INTRODUCTION:
        return 0
    posts = [count for count in counts if count >= _FEWEST_WORDS]
    if not posts:
        return 0
    kept = sum([block.words for block in page.blocks if block.removed is None])
    return len(posts) if sum(posts) >= _SHARE * kept else 0


def _below_links(page: Page) -> tuple[list[int], int]:
    """Kept words below each heading that is a link, and below headlines that are none; not looked for where no heading
    is that of a post, as on most pages."""
    blocks = page.blocks
    counts: list[int] = []
    may_be: bool | None = page.remembered(POSTS)
    if may_be is None:
        headings = [place for place, block in enumerate(blocks) if block.tag in _HEADINGS]
        may_be = page.remember(POSTS, _any_post(page, headings))
    if not may_be:
        return counts, 0
    within = headline = False
    introduction = 0
    for block in blocks:
        if block.tag in _HEADINGS and _is_link(block):
            counts.append(0)
            within, headline = True, False
        elif block.tag == "h1":
            within, headline = False, True
        elif block.removed is None:
            introduction += block.words if headline else 0
            if within:
                counts[-1] += block.words
    return counts, introduction


def _any_post(page: Page, headings: list[int]) -> bool:
    """Whether any of the headings is a link, and any with a link may be the first one in an element of its own for a
    post, as the layout has it."""
    layout = page.layout
    if not any(_is_link(page.blocks[place]) for place in headings):
        return False
    if not isinstance(layout, TextLayout):
        return True
    posts = dict[int, bool]()
    for place in [place for place in headings if page.blocks[place].link_words][:_MOST_HEADINGS]:
        container = int(layout.container[place])
        for _ in range(_LEVELS + 1):
            container = int(layout.parent[container])
            path = int(layout.class_path[container])
            if path not in posts:
                name = layout.class_names.get(path, "")
                posts[path] = bool(layout.tag[container] == _ARTICLE or (name and _POST.search(name[:300].lower())))
            if posts[path]:
                if headings[bisect_left(headings, int(layout.first_block[container]))] == place:
                    return True
                break
    return False


def _is_link(block: Block) -> bool:
    return bool(block.words) and block.link_words >= _LINKED * block.words


def _posts(page: Page, url: str) -> int:
    """Elements of a post each whose heading leads to another page of the site."""
    own = _address(url, url)
    found: dict[str, Any] = {}
    for heading, href in _permalinks(page):
        target = _address(urljoin(url, page.head.base or ""), href)
        post = _post_around(heading)
        if post is not None and target == own:
            return 0
        if post is None or not target or domain_of(target) != domain_of(url):
            continue
        if post not in found.values() and _words(post) >= _FEWEST_WORDS:
            found.setdefault(target, post)
    return len(found)


def _permalinks(page: Page) -> Iterator[tuple[Any, str]]:
    for count, heading in enumerate(page.tree.iter(*_HEADINGS)):
        if count > _MOST_HEADINGS:
            return
        link = next(heading.iter("a"), None)
        href = None if link is None else link.get("href")
        if href and not href.startswith("#"):
            yield heading, href


def _post_around(heading: Any) -> Any | None:
    for level, parent in enumerate(heading.iterancestors()):
        if level > _LEVELS or parent.tag == "body":
            return None
        if parent.tag == "article" or _POST.search((parent.get("class") or "")[:300].lower()):
            # The heading of the post: an article with a headline of its own may have links in others.
            return parent if next(parent.iter(*_HEADINGS)) is heading else None
    return None


def _words(post: Any) -> int:
    words = 0
    for text in post.itertext():
        words += len(text.split())
        if words >= _FEWEST_WORDS:
            break
    return words


def _address(base: str, href: str) -> str:
    """
    >>> _address("https://a.example/index-1.html", "posts/storm/#more"), _address("https://a.example/", "http://[")
    ('https://a.example/posts/storm', '')
    """
    try:
        return urldefrag(urljoin(base, href.strip()))[0].rstrip("/")
    except ValueError:
        return ""
