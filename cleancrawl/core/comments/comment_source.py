"""What the source tells of a page's blocks beside their text: machine dates, and which words are a name."""

from __future__ import annotations

import re

from cleancrawl.core.html.tags import BLOCK, KINDS
from cleancrawl.core.segmentation.collector import Collector, plain

_NAMING = re.compile(r"(?:^|[\s_-])(?:author|fn|user|username|nick|nickname|commenter|name|creator)(?:$|[\s_-])", re.I)


class CommentSource(Collector):
    """A collector that keeps, by block, the ``datetime`` and the text of elements that name an author."""

    def __init__(self) -> None:
        super().__init__()
        self.stamps: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.naming: set[int] = set()
        """Containers that name an author."""
        self._open: tuple[str, int, int] | None = None

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        super().start(tag, attrs)
        if self.skip_tag or not attrs:
            return
        stamp = attrs.get("datetime") or (attrs.get("content") if "date" in attrs.get("itemprop", "") else None)
        if stamp:
            self.stamps.setdefault(len(self.texts), stamp)
        if not _NAMING.search(f"{attrs.get('class', '')} {attrs.get('itemprop', '')}"):
            return
        if KINDS.get(tag, 0) == BLOCK:
            self.naming.add(self.current[0])
        elif self._open is None:
            self._open = (tag, len(self.texts), len(self.parts))

    def end(self, tag: str) -> None:
        if self._open is not None and self._open[0] == tag:
            if self.pending:
                self.take()
            _, block, place = self._open
            self._open = None
            name = plain("".join(self.parts[place:])) if block == len(self.texts) else ""
            if name:
                self.names.setdefault(block, name)
        super().end(tag)
