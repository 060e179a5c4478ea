"""The posts of a live report, as the page shows them or hands them to machines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

import numpy as np

from cleancrawl.core.html.json_ld import nodes, text, types
from cleancrawl.core.html.source_signs import LIVE_REPORT, TIME, has_sign
from cleancrawl.core.metadata.dates import machine_date
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.words import normalise

FEWEST = 3
"""Posts of a live report."""
MOST = 1_000
"""Posts of a page that are read, the first ones."""
SHARE = 0.5
"""Of the kept words that stand in posts."""
LARGEST = 0.6
"""Share of the words of all posts that one can have."""
MOST_GROUPS = 5
"""Groups of elements alike that are looked at, the largest first."""
LONGEST = 20_000
"""Characters of one post."""
STRETCH = 0.85
"""Of the kept words that can stand between two times: those of the other posts, at least ``SHARE * (1 - LARGEST)``, do
not."""
_LEVELS = 8
"""How far above its time the element of a post is looked for."""
_LIVE = "liveblogposting"
_UPDATES = "liveBlogUpdate"
_BREAKS = re.compile(r"<(?:/p|/div|/li|/h[1-6]|br)\b[^<>]{0,200}>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_CLOCK = re.compile(r"[^\d]{0,12}\d{1,2}[:.h]\s?\d{2}(?:[:.]\d{2})?[^\d]{0,12}")


@dataclass(frozen=True, slots=True)
class Post:
    """An entry of a live report."""

    text: str
    """A line per paragraph, its heading included."""
    time: str | None = None
    """ISO 8601 where the page says so, else as it is written."""
    title: str | None = None
    id: str | None = None
    """What the page calls it."""


def find_posts(page: Page, *, comments: bool = False) -> list[Post]:
    """The posts of a cleaned page in its order; none where it is no live report.

    Posts are elements alike, each with a time, that hold most of the kept text; or those that JSON-LD names
    (``LiveBlogPosting``). With readers' ``comments`` in the text, which look like posts, the page must say what it is.
    """
    declared = has_sign(page, LIVE_REPORT)
    if not declared and (comments or not has_sign(page, TIME) or page.html.count(TIME) < FEWEST):
        return []
    shown = _shown(page) if declared or _parted_by_times(page) else []
    return shown if shown or not declared else _stated(page)


def _parted_by_times(page: Page) -> bool:
    """Whether times stand among the kept text, and not only above and below it, as in most articles: to tell it from
    the layout costs nothing beside a tree."""
    layout = page.layout
    if not isinstance(layout, TextLayout):
        return True
    words = np.array([block.words if block.removed is None else 0 for block in page.blocks])
    stretches = np.bincount(np.cumsum(layout.marks > 0), words)
    return bool(stretches.max(initial=0) <= STRETCH * words.sum())


def _shown(page: Page) -> list[Post]:
    kept = [block for block in page.kept if block.text.strip()]
    total = sum(block.words for block in kept)
    best: list[Post] = []
    most = SHARE * total
    for elements in _alike(page):
        texts = [normalise("".join(element.itertext()))[:LONGEST] for element, _ in elements]
        lines: list[list[str]] = [[] for _ in elements]
        covered = place = 0
        for block in kept:
            line = normalise(block.text)
            # In the order of the page: most lines stand in the element of the one before, or in the next.
            found = next((at for at in range(place, min(place + 4, len(texts))) if line in texts[at]), None)
            if found is not None:
                place = found
                lines[found].append(block.text)
                covered += block.words
        if covered >= most and _are_posts(lines, covered):
            most = covered + 1
            best = [
                Post("\n".join(own), _time(moment), _title(element, own), element.get("id"))
                for own, (element, moment) in zip(lines, elements, strict=True)
                if own
            ]
    repeated = Counter(post.id for post in best)
    return [post if repeated[post.id] == 1 else Post(post.text, post.time, post.title) for post in best]


def _are_posts(lines: list[list[str]], words: int) -> bool:
    """Whether most elements have a text, and none nearly all of it: an article among teasers has."""
    longest = max((sum(len(line.split()) for line in own) for own in lines), default=0)
    return sum(map(bool, lines)) >= max(FEWEST, len(lines) / 2) and longest <= LARGEST * words


def _alike(page: Page) -> Iterator[list[tuple[Any, Any]]]:
    """Children of one element that are alike and have a time each, with these times."""
    groups: dict[tuple[Any, str, str], dict[Any, Any]] = {}
    for count, moment in enumerate(page.tree.iter("time")):
        if count >= MOST:
            break
        if not (moment.get("datetime") or _CLOCK.fullmatch((moment.text or "").strip()[:40])):
            continue
        element = moment
        for _ in range(_LEVELS):
            parent = element.getparent()
            if parent is None or element.tag == "body":
                break
            name = (element.get("class") or "").split()[:1]
            groups.setdefault((parent, str(element.tag), "".join(name)), {}).setdefault(element, moment)
            element = parent
    for elements in sorted(groups.values(), key=len, reverse=True)[:MOST_GROUPS]:
        if len(elements) >= FEWEST:
            yield list(elements.items())


def _time(moment: Any) -> str | None:
    stated = (moment.get("datetime") or "").strip()[:60]
    return machine_date(stated) or stated or normalise("".join(moment.itertext()))[:40] or None


def _title(element: Any, lines: list[str]) -> str | None:
    heading = next(element.iter("h2", "h3", "h4", "h5"), None)
    found = None if heading is None else normalise("".join(heading.itertext()))
    return found if found and found in map(normalise, lines) else None


def _stated(page: Page) -> list[Post]:
    """Posts that JSON-LD has."""
    found: list[Post] = []
    for node in nodes(page.head.linked_data):
        updates = node.get(_UPDATES) if _LIVE in types(node) else None
        for update in (updates if isinstance(updates, list) else [updates])[:MOST]:
            if isinstance(update, dict) and isinstance(update.get("articleBody"), str):
                title = normalise(unescape(text(update.get("headline")) or "")) or None
                body = _lines(update["articleBody"][:LONGEST])
                lines = [title, *body] if title and title not in body else body
                if body:
                    time = text(update.get("datePublished"))
                    name = text(update.get("@id")) or text(update.get("url"))
                    found.append(Post("\n".join(lines), machine_date(time) or time, title, name))
    return found[:MOST]


def _lines(body: str) -> list[str]:
    """
    >>> _lines("<p>One &amp; <b>two</b></p><p>three</p>")
    ['One & two', 'three']
    """
    plain = unescape(_TAG.sub("", _BREAKS.sub("\n", body)))
    return [line for line in map(normalise, plain.split("\n")) if line]
