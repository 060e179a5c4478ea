"""Pages with more blocks or elements than any page for readers: cut down to what can be content.

All that is known of a page grows with its blocks and elements, some of it by kilobytes for each: 9 MB of ``<p>a`` are
two million blocks. Of such a page the longest texts stay, in their order and with the elements around them.
"""

from __future__ import annotations

import re
from array import array
from html import escape
from io import StringIO
from itertools import islice
from typing import NamedTuple

import numpy as np

from cleancrawl.core.html.head import feed, source_bytes
from cleancrawl.core.html.source_signs import count_brackets
from cleancrawl.core.html.tags import BLOCK, BREAK, HEAD, HEADINGS, IMAGE, KINDS, NEVER_TEXT

MOST_BLOCKS = 20_000
"""The largest of 2,900 pages of news sites, blogs and forums has 6,200."""
MOST_ELEMENTS = 50_000
"""The largest of them has 15,800."""
_MOST_IN_HEAD = 5_000
"""So many ``meta``, ``link`` and ``base`` stay (no such page has 500): a page of nothing else is not left thick."""
_DEEPEST = 10_000
"""Elements below so many levels leave their text to those around them."""
_HEADING = 40
"""So many characters more a heading counts as."""
_SHORTEST_TAG = 3
_TEXT = re.compile(r">\s*+[^<\s]")
_MOST_ATTRIBUTES = 32
_LONGEST_VALUE = 10_000
_LONGEST = 0xFFFF
"""Longer texts count as this long."""
_EMPTY = frozenset({"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param"})
_JSON_LD = "application/ld+json"


class Thinned(NamedTuple):
    """A page that was cut down."""

    html: str
    left_out: int
    """How many blocks are no longer in it."""


def thinned(html: str) -> Thinned | None:
    """A page cut down to ``MOST_BLOCKS`` and about ``MOST_ELEMENTS``; None for a page that has no more.

    >>> thinned("<p>text") is None, thinned("<p>a</p>" * 30_000 + "<p>A longer text").left_out
    (True, 10001)
    """
    if not may_be_thick(html):
        return None
    source = source_bytes(html)
    measured = _Measured()
    feed(source, measured, joined=False)
    measured.flush()
    if len(measured.sizes) <= MOST_BLOCKS and measured.elements <= MOST_ELEMENTS:
        return None
    writer = _Writer(measured.sizes)
    feed(source, writer, joined=False)
    return Thinned(writer.text.getvalue(), len(measured.sizes) - writer.kept)


def may_be_thick(html: str) -> bool:
    """Whether a page could have too many blocks or elements; told without a parse, and of nearly all pages at once."""
    if len(html) < _SHORTEST_TAG * MOST_BLOCKS:
        return False
    tags = count_brackets(html)
    # A block has a tag before it, and a text behind that.
    return tags > MOST_ELEMENTS or (tags > MOST_BLOCKS and sum(1 for _ in _TEXT.finditer(html)) > MOST_BLOCKS)


class _Runs:
    """A parser target that tells where a block of text ends: at block-level tags, and at two ``br`` in a row."""

    def __init__(self) -> None:
        self.size = 0
        """Characters of the block so far."""
        self.broke = False
        self.unseen, self.depth = "", 0

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if self.unseen:
            self.depth += tag == self.unseen
            return
        if tag in NEVER_TEXT:
            self.unseen, self.depth = tag, 1
            return
        kind = KINDS.get(tag, 0)
        if kind == BLOCK or (kind == BREAK and self.broke):
            # Asked here: most tags of a thick page end nothing, and a call costs as much as the rest.
            if self.size:
                self.flush()
        elif kind == BREAK:
            self.broke = self.size > 0

    def end(self, tag: str) -> None:
        if self.unseen:
            self.depth -= tag == self.unseen
            if not self.depth:
                self.unseen = ""
        elif self.size and KINDS.get(tag) == BLOCK:
            self.flush()

    def data(self, data: str) -> None:
        if not self.unseen and not data.isspace():
            self.size += len(data)
            self.broke = False

    def flush(self) -> None:
        self.size, self.broke = 0, False

    def close(self) -> None:
        pass


class _Measured(_Runs):
    """Counts elements, and notes how long each block is."""

    def __init__(self) -> None:
        super().__init__()
        self.elements = self.bonus = 0
        self.sizes = array("H")

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self.elements += 1
        super().start(tag, attrs)
        if tag in HEADINGS:
            self.bonus = _HEADING

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag in HEADINGS:
            self.bonus = 0

    def flush(self) -> None:
        if self.size:
            self.sizes.append(min(self.size + self.bonus, _LONGEST))
        super().flush()


class _Writer(_Runs):
    """Writes a page again with its longest blocks. An element is written when something in it is."""

    def __init__(self, sizes: array[int]) -> None:
        super().__init__()
        self.text = StringIO()
        self.kept = 0
        self.sizes, self.number = sizes, 0
        self.least, self.at_least = _bar(sizes)
        self.is_kept = self.touches = False
        """Whether the block stays, and whether the next one would touch the last that did."""
        self.stack: list[str] = []
        """The start tags of open elements; empty where none is written."""
        self.written = 0
        """So many of them, from the outermost on, are written."""
        self.room, self.inline_room, self.head_room = MOST_ELEMENTS, MOST_ELEMENTS // 2, _MOST_IN_HEAD
        self.json_ld = False

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        was_unseen, was_kept = self.unseen, self.is_kept
        super().start(tag, attrs)
        if self.unseen:
            if not was_unseen:
                self.start_unseen(tag, attrs)
            return
        kind = KINDS.get(tag, 0)
        if tag not in _EMPTY:
            self.stack.append(_start_tag(tag, attrs) if len(self.stack) < _DEEPEST else "")
        elif kind == HEAD:
            if self.head_room > 0 and self.open():
                self.room -= 1
                self.head_room -= 1
                self.text.write(_start_tag(tag, attrs))
        elif (was_kept or kind == IMAGE) and self.written == len(self.stack) and self.inline_room > 0:
            self.inline_room -= 1
            self.text.write(_start_tag(tag, attrs))
            if kind == BREAK and not self.is_kept:
                self.touches = False  # the second in a row parts blocks by itself

    def start_unseen(self, tag: str, attrs: dict[str, str]) -> None:
        """Titles and JSON-LD are all that is read of what no reader sees."""
        self.json_ld = attrs.get("type", "").strip().lower() == _JSON_LD
        if (tag == "title" or self.json_ld) and self.open():
            self.room -= 1
            self.text.write(_start_tag(tag, attrs))
            self.stack.append(tag)
            self.written += 1

    def end(self, tag: str) -> None:
        was_unseen = self.unseen
        super().end(tag)
        if was_unseen:
            if not self.unseen and self.is_open_unseen(tag):
                self.shut(tag)
        elif tag not in _EMPTY and self.stack:
            self.shut(tag)

    def is_open_unseen(self, tag: str) -> bool:
        return bool(self.stack) and self.stack[-1] == tag

    def shut(self, tag: str) -> None:
        is_written = self.written == len(self.stack)
        if self.stack.pop() and is_written:
            self.text.write(f"</{tag}>")
            self.touches = self.touches and KINDS.get(tag) != BLOCK
        self.written -= is_written

    def data(self, data: str) -> None:
        if self.unseen:
            if self.is_open_unseen(self.unseen):
                self.text.write(data if self.json_ld else escape(data, quote=False))
            return
        blank = data.isspace()
        if not self.size and not blank:
            self.is_kept = self.wanted()
        super().data(data)
        if self.is_kept and (self.written == len(self.stack) or (not blank and self.open(inside=True))):
            self.text.write(escape(data, quote=False))

    def wanted(self) -> bool:
        """Whether the block that begins stays: it is long enough, and there is room for the elements around it."""
        size = self.sizes[self.number]
        if size < self.least or (size == self.least and not self.at_least) or not self.open():
            return False
        if self.touches:
            self.text.write("<br><br>")
        self.at_least -= size == self.least
        self.kept += 1
        return True

    def open(self, *, inside: bool = False) -> bool:
        """Write the start tags that are not yet; false where there are too many of them."""
        if min(len(self.stack), _DEEPEST) - self.written > self.room + inside * MOST_ELEMENTS:
            return False
        for place in range(self.written, len(self.stack)):
            if inside and self.inline_room <= 0:
                self.stack[place] = ""
            self.inline_room -= inside
            self.room -= not inside
            self.text.write(self.stack[place])
            self.touches = self.touches and not _is_block(self.stack[place])
        self.written = len(self.stack)
        return True

    def flush(self) -> None:
        self.number += self.size > 0
        self.touches = self.touches or self.is_kept
        self.is_kept = False
        super().flush()


def _bar(sizes: array[int]) -> tuple[int, int]:
    """The length from which on ``MOST_BLOCKS`` stay, and how many of exactly that length."""
    if len(sizes) <= MOST_BLOCKS:
        return 0, 0
    counts = np.bincount(np.frombuffer(sizes, dtype=np.uint16), minlength=_LONGEST + 1)
    longer = np.cumsum(counts[::-1])[::-1]
    least = int(np.flatnonzero(longer > MOST_BLOCKS)[-1])
    return least, MOST_BLOCKS - int(longer[least] - counts[least])


def _is_block(start_tag: str) -> bool:
    return KINDS.get(start_tag[1:-1].partition(" ")[0]) == BLOCK


def _start_tag(tag: str, attrs: dict[str, str]) -> str:
    if not attrs:
        return f"<{tag}>"
    kept = [f' {name}="{escape(value[:_LONGEST_VALUE])}"' for name, value in islice(attrs.items(), _MOST_ATTRIBUTES)]
    return f"<{tag}{''.join(kept)}>"
