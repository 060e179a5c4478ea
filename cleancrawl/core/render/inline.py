"""The markup inside one block: a run of text, emphasis, links and images."""

from __future__ import annotations

from collections.abc import Mapping

from cleancrawl.core.render.nodes import INLINE, Node, printable
from cleancrawl.core.render.safe_urls import image_url, safe_url
from cleancrawl.core.text.words import normalise

_ICON_PIXELS = 24
"""Images that say they are no larger are icons and counters."""
_MERGED = frozenset({"strong", "em", "code", "del", "sub", "sup", "mark"})


class InlineRun:
    """Collects a block's inline events into children of a node.

    Elements are made when text arrives in them, so none is empty, and white space goes between them, never to their
    inner edges. An element inside one of its own kind adds nothing: at most one of each kind is open, whatever the page
    nests, so that elements which span many blocks cost little when they are opened again in each.
    """

    def __init__(self, base: str | None) -> None:
        self.base = base
        self._counts = dict.fromkeys(INLINE.values(), 0)
        self._open: list[Node] = []
        self._start()

    def _start(self) -> None:
        self._top = Node("")
        self._path: list[tuple[Node, Node]] = []
        self._gap = ""
        self._images: list[Node] = []

    def open(self, tag: str, attrs: Mapping[str, str]) -> None:
        kind = INLINE[tag]
        self._counts[kind] += 1
        if self._counts[kind] == 1:
            safe = self._attributes(kind, attrs)
            if safe is not None:
                self._open.append(Node(kind, safe))

    def close(self, tag: str) -> None:
        kind = INLINE[tag]
        if self._counts[kind]:
            self._counts[kind] -= 1
            if not self._counts[kind]:
                self._open = [node for node in self._open if node.tag != kind]

    def text(self, data: str) -> None:
        data = printable(data)
        words = data.split()
        if data[:1].isspace():
            self._gap = self._gap or " "
        if words:
            self._place().children.append(" ".join(words))
            self._gap = " " if data[-1].isspace() else ""

    def line_break(self) -> None:
        self._gap = "\n"

    def image(self, attrs: Mapping[str, str]) -> None:
        source = None if _is_icon(attrs) else image_url(attrs, self.base)
        if source:
            image = Node("img", {"src": source, "alt": normalise(printable(attrs.get("alt", "")))})
            self._images.append(image)
            self._place().children.append(image)

    def take(self) -> tuple[list[Node | str], list[Node]]:
        """The children met since the last call, and the images among them."""
        self._top.join_texts()
        children, images = self._top.children, self._images
        self._start()
        return children, images

    def _place(self) -> Node:
        """The innermost open element, the gap before it written."""
        path, wanted = self._path, self._open
        common = 0
        while common < min(len(path), len(wanted)) and path[common][0] is wanted[common]:
            common += 1
        del path[common:]
        place = path[-1][1] if path else self._top
        if self._gap and self._top.children:
            if self._gap == "\n":
                place.children.append(Node("br"))
            else:
                place.children.append(" ")
        self._gap = ""
        for element in wanted[common:]:
            last = place.children[-1] if place.children else None
            if element.tag in _MERGED and isinstance(last, Node) and last.tag == element.tag:
                made = last
            else:
                made = Node(element.tag, element.attrs)
                place.children.append(made)
            path.append((element, made))
            place = made
        return place

    def _attributes(self, kind: str, attrs: Mapping[str, str]) -> dict[str, str] | None:
        """The safe attributes of an element; None where it says nothing without the unsafe ones."""
        if kind == "a":
            href = safe_url(attrs.get("href"), self.base)
            return {"href": href} if href else None
        name = {"abbr": "title", "time": "datetime"}.get(kind)
        value = normalise(printable(attrs.get(name, ""))) if name else ""
        return {name: value} if name and value else {}


def _is_icon(attrs: Mapping[str, str]) -> bool:
    sizes = (attrs.get(name, "").strip().removesuffix("px") for name in ("width", "height"))
    return any(size.isdecimal() and len(size) < 6 and int(size) <= _ICON_PIXELS for size in sizes)
