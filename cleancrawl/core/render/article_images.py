"""The pictures of an article with what is said about them: kept out of the text, and not lost."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from cleancrawl.core.page import Page
from cleancrawl.core.render.safe_urls import image_url, page_base
from cleancrawl.core.text.control_characters import without_controls

Image = dict[str, str | None]
"""``url``, ``caption``, ``credit`` and ``alt``."""

_MOST = 50
_LONGEST = 1_000
_SMALLEST = 100
"""Pixels: what is less wide or high is an icon, a portrait beside a byline, or counts visitors."""
_KEY = 80
_WINDOW = 20_000
_MOST_BLOCKS = 5_000
_SILENT = frozenset({"script", "style", "template", "textarea", "title", "head"})
_ELSEWHERE = frozenset({"nav", "aside", "footer", "form", "button"})
_BOXES = frozenset({"figure", "div", "dl", "p", "section", "table", "span"})
# Parts of class names and ids, as content management systems and news pages give them.
_CAPTION_MARKS = ("caption", "bildunterschrift", "legende")
_CREDIT_MARKS = ("credit", "copyright", "photographer", "rights", "source", "fotograf")
_NO_PICTURE = ("avatar", "logo", "icon", "emoji", "author", "profile", "sprite", "pixel", "share", "related", "teaser")
_PLACEHOLDERS = ("transparent", "placeholder", "spacer.", "blank.")
_CREDIT = re.compile(
    r"(?:[(\[]\s{0,3})?(?:(?:Photo|Foto|Image|Bild|Picture|Credit|Crédit|Source|Quelle)[^:.©]{0,30}:|©)\s{0,3}([^()\[\]]{2,100}?)"
    r"[)\]]?\s{0,3}$"
)
_DIGITS = re.compile(r"\s{0,5}(\d{1,6})")


@dataclass(slots=True)
class _Found:
    node: Any
    place: int
    """How much text stands before it."""
    box: Any | None
    """The element that holds it together with its caption."""
    start: int = 0
    end: int = 0
    """Where the text of that element is."""


def article_images(page: Page, main: str | None = None) -> list[Image]:
    """Pictures in or beside the kept blocks, in the order of the page; ``main`` where there is none of them.

    Costs about as much as parsing the page.
    """
    if not page.kept:
        return []
    base = page_base(page.url, page.head.base)
    found: dict[str, Image] = {}
    for one in _beside_text(page):
        url = image_url({str(name): str(value) for name, value in one.node.attrib.items()}, base)
        if url is None or not url.startswith(("http://", "https://")):
            continue
        if url not in found and not any(mark in url[-100:].lower() for mark in _PLACEHOLDERS):
            found[url] = _described(one, url)
            if len(found) >= _MOST:
                break
    if not found and main:
        stated = dict(reversed(page.head.meta))
        alt = stated.get("og:image:alt") or stated.get("twitter:image:alt")
        return [{"url": main, "caption": None, "credit": None, "alt": _tidy(alt)}]
    return list(found.values())


def _beside_text(page: Page) -> Iterator[_Found]:
    """Pictures whose neighbours, captions aside, are kept."""
    images, stream = _scan(page.tree)
    if not images:
        return
    spans = _places(page, stream)
    kept = [span for span in spans if span[2]]
    if not kept:
        return
    starts, last = [span[0] for span in spans], kept[-1][0]
    for one in images:
        before = after = None
        low, high = (one.start, one.end) if one.box is not None else (one.place, one.place)
        at = bisect_left(starts, low)
        if at:
            before = spans[at - 1]
        at = bisect_left(starts, max(high, low))
        if at < len(spans):
            after = spans[at]
        follows = after is not None and after[2]
        inside = before is not None and before[2] and (low <= last or (one.box is not None and one.box.tag == "figure"))
        if follows or inside:
            yield one


def _scan(tree: Any) -> tuple[list[_Found], str]:
    """All pictures that may be an article's, and the text of the page without white space."""
    parts: list[str] = []
    length, silent, elsewhere = 0, 0, 0
    images: list[_Found] = []
    opened: dict[Any, int] = {}
    boxes: dict[Any, list[_Found]] = {}
    for event, node in etree.iterwalk(tree, events=("start", "end", "comment", "pi")):
        tag = node.tag
        if event == "start":
            silent += tag in _SILENT
            elsewhere += tag in _ELSEWHERE
            if tag == "img" and not elsewhere and _is_picture(node):
                box = _box(node)
                one = _Found(node, length, box, length, length)
                images.append(one)
                if box is not None:
                    one.start = opened.get(box, length)
                    boxes.setdefault(box, []).append(one)
            elif tag == "figure" or _is_caption_box(node):
                opened[node] = length
            text = node.text
        elif event != "end":
            text = node.tail
        else:
            silent -= tag in _SILENT
            elsewhere -= tag in _ELSEWHERE
            for one in boxes.pop(node, ()):
                one.end = length
            text = node.tail
        if text and not silent and (joined := "".join(text.split())):
            parts.append(joined)
            length += len(joined)
    return images, "".join(parts)


def _places(page: Page, stream: str) -> list[tuple[int, int, bool]]:
    """Where each block is in that text, and whether it is kept; blocks come in the order of the page."""
    found, at = [], 0
    for block in page.blocks[:_MOST_BLOCKS]:
        key = "".join(block.text[: 3 * _KEY].split())[:_KEY]
        place = stream.find(key, at, at + _WINDOW) if key else -1
        if place >= 0:
            found.append((place, block.index, block.kept))
            at = place + len(key)
    return found


def _is_picture(node: Any) -> bool:
    for name in ("width", "height"):
        size = _DIGITS.match(node.get(name) or "")
        if size and int(size[1]) < _SMALLEST:
            return False
    names = _names(node)
    return not any(mark in names for mark in _NO_PICTURE)


def _names(node: Any) -> str:
    return f"{node.get('class') or ''} {node.get('id') or ''} {node.get('itemprop') or ''}"[:500].lower()


def _is_caption_box(node: Any) -> bool:
    return node.tag in _BOXES and "caption" in (node.get("class") or "")


def _box(node: Any) -> Any | None:
    """The figure around a picture, or the box that content management systems make for a caption."""
    for level, parent in enumerate(node.iterancestors()):
        if level > 8:
            return None
        if parent.tag == "figure" or _is_caption_box(parent):
            return parent
    return None


def _described(one: _Found, url: str) -> Image:
    caption = credit = None
    if one.box is not None:
        credit = _tidy(_marked(one.box, _CREDIT_MARKS))
        caption = _tidy(_caption(one.box))
        if caption and credit and caption != credit:
            caption = _tidy(caption.replace(credit, " ").strip(" ()|–-")) or None
        elif caption and (match := _CREDIT.search(caption)):
            credit, caption = match[1].strip(), caption[: match.start()].strip() or None
        elif caption == credit:
            caption = None
    if credit and (match := _CREDIT.match(credit)):
        credit = match[1].strip()
    return {"url": url, "caption": caption, "credit": credit, "alt": _tidy(one.node.get("alt"))}


def _caption(box: Any) -> str | None:
    found = next(box.iter("figcaption"), None)
    return _text(found) if found is not None else _marked(box, _CAPTION_MARKS)


def _marked(box: Any, marks: tuple[str, ...]) -> str | None:
    for count, node in enumerate(box.iterdescendants()):
        if count > 200:
            return None
        if isinstance(node.tag, str) and node.tag != "img" and any(mark in _names(node) for mark in marks):
            text = _text(node)
            if text:
                return text
    return None


def _text(node: Any) -> str:
    parts, length = [], 0
    for part in node.itertext():
        if getattr(part, "getparent", None) and part.is_text and part.getparent().tag in _SILENT:
            continue
        parts.append(part)
        length += len(part)
        if length > 4 * _LONGEST:
            break
    return "".join(parts)


def _tidy(text: str | None) -> str | None:
    return without_controls(" ".join((text or "").split())[:_LONGEST]) or None
