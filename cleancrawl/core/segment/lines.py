"""METHODS E1–E2: line-blocks cut from the source text, without a tree.

The page passes through a handful of regular expressions, each of which either matches or gives up before the next
``<`` or quote, so every pass is linear in the page whatever is left unclosed in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from cleancrawl.core.page import Block, Page
from cleancrawl.core.text import count_words, normalise

# One character per tag: tags are counted, anchors delimited and text separated with str methods afterwards.
_TAG_MARK, _ANCHOR_OPEN, _ANCHOR_CLOSE, _HEADING = "\x01", "\x02", "\x03", "\x04"
_MARKS = "\x01\x02\x03\x04"
_STRIP_MARKS = str.maketrans("", "", _MARKS)
_NO_TEXT = _MARKS + " \t\r\f\v\xa0"

# Grouped by first letter and free of IGNORECASE, the alternatives are told apart by one comparison each.
_BLOCK_NAMES = (
    "a(?:ddress|rticle|side)|b(?:lockquote|ody)|c(?:aption|enter)|d(?:iv|[dlt]|etails|ialog)|f(?:ieldset|igcaption|igure"
    "|ooter|orm)|h(?:eader|group|r|tml)|l(?:i|egend)|main|nav|o(?:l|ption)|p(?:re)?|s(?:ection|ummary)"
    "|t(?:r|[dh]|able|body|foot|head)|ul"
)
_BLOCK_OPEN = re.compile(rf"<(?:{_BLOCK_NAMES})(?:[\s/][^<>]*+)?>")
_HEADING_OPEN = re.compile(r"<h[1-6](?:\s[^<>]*+)?>")
_SEPARATOR = re.compile(rf"<(?:/(?:{_BLOCK_NAMES}|h[1-6])|br|img|input)\b[^<>]*+>")
_OPEN_ANCHOR = re.compile(r"<a(?:\s[^<>]*+)?>")
_CLOSE_ANCHOR = re.compile(r"</a\s*+>")
_ANY_TAG = re.compile(r"</?[a-z!?][^<>]*+>")
_UPPER_CASE_TAG = re.compile(r"</?[A-Za-z]*+(?<=[A-Z])")

_TITLE = re.compile(r"<title[^<>]*+>([^<]*+)", re.IGNORECASE)
_DROPPED = ("head", "title", "script", "style", "noscript", "template", "svg", "select", "textarea", "iframe", "object")
_DROP_OPEN = re.compile(rf"<(?:(!--)|({'|'.join(_DROPPED)})(?=[\s/>]))", re.IGNORECASE)
_DROP_CLOSE = {name: re.compile(rf"</{name}[^<>]*+>", re.IGNORECASE) for name in _DROPPED}
_TO_THE_END = frozenset({"!--", "script", "style", "textarea", "iframe"})
"""What browsers read up to the end of the page when nothing closes it."""
# A quoted attribute value with a bracket in it would end its tag too early.
_QUOTED_BRACKET = re.compile(r"""=\s*+(?:"[^"<>]*+[<>][^"]*+"|'[^'<>]*+[<>][^']*+')""")


@dataclass(slots=True)
class LineLayout:
    """Per line-block, aligned with ``page.blocks``; ``title`` is what E3 takes its keywords from."""

    title: str
    text_length: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    anchor_length: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LineBlocks:
    """Cut the source into line-blocks; fills ``page.blocks`` and ``page.layout`` and never touches ``page.tree``."""

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
    inside_anchor = False
    for number, line in enumerate(_marked(html, source_lines).split("\n")):
        if line.strip(_NO_TEXT):
            bare = line.translate(_STRIP_MARKS)
            text = normalise(unescape(bare) if "&" in bare else bare)
            if text:
                anchor = _anchor_length(line, inside_anchor, len(text))
                yield Line(number, text, len(line) - len(bare), anchor, _HEADING in line)
        if _ANCHOR_OPEN in line or _ANCHOR_CLOSE in line:
            inside_anchor = line.rfind(_ANCHOR_OPEN) > line.rfind(_ANCHOR_CLOSE)


def _anchor_length(line: str, inside: bool, whole: int) -> int:
    """How many characters of a line's text lie inside anchors."""
    if _ANCHOR_OPEN not in line and _ANCHOR_CLOSE not in line:
        return whole if inside else 0
    first, *rest = line.replace(_ANCHOR_CLOSE, _ANCHOR_OPEN + _ANCHOR_CLOSE).split(_ANCHOR_OPEN)
    linked = [piece for piece in rest if not piece.startswith(_ANCHOR_CLOSE)]
    if inside:
        linked.append(first)
    lengths = (len(normalise(unescape(piece.translate(_STRIP_MARKS)))) for piece in linked)
    return min(sum(lengths), whole)


def _marked(html: str, source_lines: bool) -> str:
    """The page with every tag as one mark, a line break before each block tag, and E1's elements gone."""
    for mark in _MARKS:
        html = html.replace(mark, " ")
    html = "".join(_without_dropped(html))
    html = _QUOTED_BRACKET.sub('=""', html)
    if _UPPER_CASE_TAG.search(html):
        html = _UPPER_CASE_TAG.sub(lambda found: found[0].lower(), html)
    if not source_lines:
        html = html.replace("\n", " ")
    html = _OPEN_ANCHOR.sub(_ANCHOR_OPEN, html)
    html = _CLOSE_ANCHOR.sub(_ANCHOR_CLOSE, html)
    html = _BLOCK_OPEN.sub("\n" + _TAG_MARK, html)
    html = _HEADING_OPEN.sub("\n" + _HEADING, html)
    html = _SEPARATOR.sub(_TAG_MARK + " ", html)
    return _ANY_TAG.sub(_TAG_MARK, html)


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
