"""The block structure of a rendering: headings, lists, quotations, tables, figures around runs of text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cleancrawl.core.render.nodes import STRUCTURE, Node

MAX_DEPTH = 32
"""Structure below so many levels is flattened: what is written stays linear in the page, and recursion bounded."""
_LANGUAGE = re.compile(r"(?:^|\s)lang(?:uage)?-([\w+#-]{1,20})(?:\s|$)", re.ASCII)
_NUMBERS = {"ol": ("start",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}


class TreeBuilder:
    """Keeps the open structural elements; every ``open`` has its ``close``, of whatever tag."""

    def __init__(self) -> None:
        self.root = Node("body")
        self._stack: list[Node] = [self.root]
        self._depth = 0
        self._places: list[bool] = []

    @property
    def current(self) -> Node:
        return self._stack[-1]

    def open(self, tag: str, attrs: Mapping[str, str]) -> None:
        kind = STRUCTURE.get(tag)
        made = kind is not None and self._depth < MAX_DEPTH
        if kind is not None and made:
            node = Node(kind, _attributes(kind, attrs))
            self.current.children.append(node)
            self._stack.append(node)
            self._depth += 1
        self._places.append(made)

    def close(self) -> None:
        if self._places and self._places.pop():
            self._stack.pop()
            self._depth -= 1

    def leaf(self, children: list[Node | str]) -> None:
        """A block of text."""
        self.current.children.append(Node("p", {}, children))

    def lines(self, text: str, language: str = "") -> None:
        """A block of preformatted text; blocks of one ``pre`` follow each other line by line."""
        place = self.current.children
        last = place[-1] if place else None
        if isinstance(last, Node) and last.tag == "lines":
            last.children.append("\n" + text)
        else:
            place.append(Node("lines", {"class": f"language-{language}"} if language else {}, [text]))


def code_language(classes: str) -> str:
    """The language that the classes of a ``pre`` or ``code`` element name, as highlighters write it.

    >>> [code_language(classes) for classes in ("hljs language-Python", "lang-c++", "wide", "lang-<b>")]
    ['python', 'c++', '', '']
    """
    found = _LANGUAGE.search(classes)
    return found[1].lower() if found else ""


def _attributes(kind: str, attrs: Mapping[str, str]) -> dict[str, str]:
    safe = {}
    for name in _NUMBERS.get(kind, ()):
        value = attrs.get(name, "").strip()
        if value.isascii() and value.isdecimal() and len(value) < 4:
            safe[name] = str(int(value))
    if kind == "table" and attrs.get("role", "").strip().lower() in ("presentation", "none"):
        safe["role"] = "presentation"
    return safe
