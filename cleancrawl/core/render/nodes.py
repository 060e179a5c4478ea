"""The tree between a page and its renderings: a dozen kinds of elements, and text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.text.control_characters import without_controls
from cleancrawl.core.text.words import without_invisible

LISTS = frozenset({"ul", "ol"})

DROPPED = ""
"""The tag of a node that was decided against after it was placed."""

STRUCTURE: dict[str, str] = {
    **{tag: tag for tag in HEADINGS | LISTS},
    **{tag: tag for tag in ("li", "dl", "dt", "dd", "blockquote", "pre", "figure", "figcaption")},
    **{tag: tag for tag in ("table", "thead", "tr", "td", "th", "caption")},
    **dict.fromkeys(("menu", "dir"), "ul"),
}
"""Block-level tags that mean something to a reader, with the tag they come out as; all others leave only their text."""

INLINE: dict[str, str] = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em"), "em"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **{tag: tag for tag in ("a", "sub", "sup", "mark", "q", "cite", "abbr", "time")},
}
"""Inline tags that are kept, with the tag they come out as."""


_NO_CHARACTERS = re.compile(r"[\ufffe\uffff]")


def printable(text: str) -> str:
    """Text without what neither XML nor a reader can do anything with.

    >>> printable("a\x01b\u00adc")
    'abc'
    """
    return text if text.isprintable() else _NO_CHARACTERS.sub("", without_controls(without_invisible(text)))


@dataclass(slots=True, eq=False)
class Node:
    """An element with safe attributes; its children are nodes and text."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    @property
    def nodes(self) -> Iterator[Node]:
        """The children that are elements."""
        return (child for child in self.children if isinstance(child, Node))

    def join_texts(self) -> None:
        """Neighbouring texts become one, here and below: a page may cut a text into 100,000 pieces."""
        for child in self.nodes:
            child.join_texts()
        joined: list[Node | str] = []
        for is_text, run in groupby(self.children, lambda child: isinstance(child, str)):
            pieces = list(run)
            joined += ["".join(map(str, pieces))] if is_text else pieces
        self.children = joined


def plain_text(node: Node) -> str:
    """The text of a node and all below it; line breaks as line feeds.

    >>> plain_text(Node("p", {}, ["a", Node("br"), Node("b", {}, ["c"])]))
    'a\\nc'
    """
    if node.tag == "br":
        return "\n"
    return "".join(child if isinstance(child, str) else plain_text(child) for child in node.children)
