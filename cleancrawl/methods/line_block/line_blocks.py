"""METHODS E1–E2: line-blocks cut from the source text, without a tree.

The page passes through a few regular expressions, each of which either matches or gives up before the next ``<`` or
quote, so every pass is linear in the page whatever is left unclosed in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import ClassVar

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import ALWAYS_UNSEEN, CODE_TAGS, EMBEDDED_TAGS
from cleancrawl.core.page import Layout, Page
from cleancrawl.core.text.words import count_words, normalise

_OPEN, _HEADING, _SEPARATOR, _ANCHOR, _ANCHOR_END = range(1, 6)
_STARTS = (_OPEN, _HEADING)
_BLOCK_NAMES = (
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl"),
    *("dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "li"),
    *("main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead"),
    *("tr", "ul"),
)
_HEADING_NAMES = ("h1", "h2", "h3", "h4", "h5", "h6")
_KINDS = {
    **dict.fromkeys(_BLOCK_NAMES, _OPEN),
    **dict.fromkeys(_HEADING_NAMES, _HEADING),
    **{f"/{name}": _SEPARATOR for name in (*_BLOCK_NAMES, *_HEADING_NAMES)},
    **dict.fromkeys(("br", "img", "input"), _SEPARATOR),
    "a": _ANCHOR,
    "/a": _ANCHOR_END,
}
_KINDS |= {name.upper(): kind for name, kind in _KINDS.items()} | {name.title(): kind for name, kind in _KINDS.items()}
# The group is the tag's name, so that one split of the page gives texts and names in turn.
_TAG = re.compile(r"<(/?[a-zA-Z!?][^\s<>/]*+)[^<>]*+>")

_TITLE = re.compile(r"<title[^<>]*+>([^<]*+)", re.IGNORECASE)
# Media, drawings and lists of data stay: text in them is rare, and the figures of this method were measured with it.
_DROPPED = sorted(ALWAYS_UNSEEN | EMBEDDED_TAGS | {"head", "title"})
_DROP_OPEN = re.compile(rf"<(?:(!--)|({'|'.join(_DROPPED)})(?=[\s/>]))", re.IGNORECASE)
_DROP_CLOSE = {name: re.compile(rf"</{name}[^<>]*+>", re.IGNORECASE) for name in _DROPPED}
_TO_THE_END = CODE_TAGS | {"!--", "textarea", "iframe"}
"""What browsers read up to the end of the page when nothing closes it."""
# A quoted attribute value with a bracket in it would end its tag too early.
_QUOTED_BRACKET = re.compile(r"""=\s*+(?:"[^"<>]*+[<>][^"]*+"|'[^'<>]*+[<>][^']*+')""")


@dataclass(slots=True)
class LineLayout(Layout):
    """Per line-block, aligned with ``page.blocks``; ``title`` is what E3 takes its keywords from."""

    title: str
    text_length: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    anchor_length: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LineBlocks:
    """Cut the source into line-blocks; fills ``page.blocks`` and ``page.layout`` and never touches ``page.tree``."""

    makes: ClassVar[type[LineLayout]] = LineLayout

    distance: int = 1
    """Lines with text join while they lie at most this many lines apart."""
    source_lines: bool = False
    """Whether line breaks of the source count too; otherwise white space means as little as it does in HTML."""

    def __call__(self, page: Page) -> None:
        html = page.html
        title = _TITLE.search(html)
        layout = page.layout = LineLayout(normalise(unescape(title[1])) if title else "")
        for lines in self._join(mark_lines(html, self.source_lines)):
            text = "\n".join(line.text for line in lines)
            anchor = sum(line.anchor for line in lines)
            length = sum(len(line.text) for line in lines)
            words = count_words(text)
            tag = "h2" if len(lines) == 1 and lines[0].heading else "p"
            page.blocks.append(Block(text, words, round(words * anchor / length), tag, index=len(page.blocks)))
            layout.text_length.append(length)
            layout.anchor_length.append(anchor)
            layout.tags.append(sum(line.tags for line in lines))

    def _join(self, lines: Iterator[Line]) -> Iterator[list[Line]]:
        group: list[Line] = []
        for line in lines:
            if group and line.number - group[-1].number > self.distance:
                yield group
                group = []
            group.append(line)
        if group:
            yield group


@dataclass(slots=True)
class Line:
    """A line of the source with text in it."""

    number: int
    text: str
    tags: int
    anchor: int
    heading: bool


def mark_lines(html: str, source_lines: bool = False) -> Iterator[Line]:
    """The lines of a page that hold text; block tags start a line (E2)."""
    pieces = _TAG.split(_QUOTED_BRACKET.sub('=""', "".join(_without_dropped(html))))
    number = tags = 0
    heading = inside = False
    parts: list[str] = []
    anchors: list[str] = []
    # Plain variables and no objects until a line has text: most of a page's thousands of tags end a line without any.
    for name, text in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        kind = _KINDS.get(name, 0)
        if kind in _STARTS:
            if parts:
                yield from _line(number, parts, tags, anchors, heading)
                parts, anchors = [], []
            number += 1
            tags, heading = 0, kind == _HEADING
        elif kind == _SEPARATOR:
            if parts:
                parts.append(" ")
        elif kind:
            inside = kind == _ANCHOR
        tags += 1
        if not text or (text.isspace() and not parts):
            continue
        if source_lines and "\n" in text:
            *before, text = text.split("\n")
            for piece in before:
                yield from _line(number, [*parts, piece], tags, [*anchors, piece] if inside else anchors, heading)
                number, tags, parts, anchors = number + 1, 0, [], []
        parts.append(text)
        if inside:
            anchors.append(text)
    yield from _line(number, parts, tags, anchors, heading)


def _line(number: int, parts: list[str], tags: int, anchors: list[str], heading: bool) -> Iterator[Line]:
    text = _plain("".join(parts))
    if text:
        yield Line(number, text, tags, min(sum(len(_plain(part)) for part in anchors), len(text)), heading)


def _plain(text: str) -> str:
    return normalise(unescape(text) if "&" in text else text)


def _without_dropped(html: str) -> Iterator[str]:
    """E1: the page without head, scripts, styles, comments and the like."""
    position, unclosed = 0, set[str]()
    while opened := _DROP_OPEN.search(html, position):
        yield html[position : opened.start()]
        name = (opened[1] or opened[2]).lower()
        end = -1 if name in unclosed else _end_of(html, name, opened.end())
        if end >= 0:
            position = end
        elif name in _TO_THE_END:
            return
        else:
            unclosed.add(name)  # searched once: a page of unclosed elements stays linear
            position = opened.end()
            yield "<" + name
    yield html[position:]


def _end_of(html: str, name: str, start: int) -> int:
    """Where an element that is dropped ends; -1 where nothing closes it."""
    if name == "!--":
        end = html.find("-->", start)
        return end + 3 if end >= 0 else -1
    closed = _DROP_CLOSE[name].search(html, start)
    return closed.end() if closed else -1
