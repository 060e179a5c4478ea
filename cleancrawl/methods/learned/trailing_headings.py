"""Headings at the very end, of which nothing followed."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page


@dataclass(frozen=True, slots=True)
class TrailingHeadings:
    """Remove the kept headings behind all other kept text: what they are headings of was removed."""

    longest: int = 12
    """Headings of more words are sentences."""

    def __call__(self, page: Page) -> None:
        for block in reversed(page.kept):
            if block.tag not in HEADINGS or block.words > self.longest:
                return
            block.remove("score", "afterthought", "a heading of nothing")
