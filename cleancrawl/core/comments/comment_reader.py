"""The readers' comments of a page, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from cleancrawl.core.block import Block
from cleancrawl.core.comments.comment_regions import comment_regions
from cleancrawl.core.comments.comment_source import CommentSource
from cleancrawl.core.comments.comment_words import SHORT, is_button, is_date, is_heading, without_date
from cleancrawl.core.html.head import feed
from cleancrawl.core.html.tags import tag_ids
from cleancrawl.core.metadata.dates import any_date, machine_date
from cleancrawl.core.page import Page, Region
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import TextLayout

MIN_OUTSIDE = 40
_NAME = 5
_FORM = tag_ids("form", "button", "fieldset")
_ENDS = ".!?…:;,。！？"


@dataclass(frozen=True, slots=True)
class Comment:
    """What a reader wrote below an article; ``author`` and ``date`` (ISO 8601) are None where the page is silent."""

    author: str | None
    date: str | None
    text: str


@dataclass(slots=True)
class _Draft:
    author: str | None = None
    date: str | None = None
    signed: bool = False
    """It has a name or a date, even one that no machine reads."""
    answered: bool = False
    lines: list[str] = field(default_factory=list)

    def comments(self) -> Iterator[Comment]:
        # Rules of the house and notes of the editors stand among comments too; they are nobody's.
        if self.lines and self.signed:
            yield Comment(self.author, self.date, "\n".join(self.lines))


def read_comments(page: Page) -> list[Comment]:
    """All comments of a page in its order, nested replies among them; none where a thread is the content."""
    if page.comments is None:
        page = _cut(page)
    regions = _regions(page)
    if not regions:
        return []
    source = CommentSource()
    feed(page.html, source)
    source.result()
    reader = _Reader(page, source)
    return [comment for region in regions for comment in reader.read(region)]


def _regions(page: Page) -> list[Region]:
    """Where comments stand. What the recipe looked at and kept is part of the text."""
    kept = np.array([block.removed is None for block in page.blocks], dtype=np.bool_)
    found = comment_regions(page, kept, MIN_OUTSIDE)
    if page.comments is None:
        return list(found)
    clear = [region for region in found if not kept[region.first : region.end].any()]
    taken = np.zeros(len(page.blocks), dtype=np.bool_)
    for region in clear:
        taken[region.first : region.end] = True
    others = [region for region in page.comments if not taken[region.first : region.end].any()]
    return sorted([*clear, *others], key=lambda region: region.first)


def _cut(page: Page) -> Page:
    """The page of a recipe that does not look for comments, cut anew; its running text is taken for content."""
    again = Page(page.html, page.url)
    TextBlocks()(again)
    for block in again.blocks:
        if block.words <= SHORT or 2 * block.link_words >= block.words:
            block.remove("score", "short")
    return again


class _Reader:
    def __init__(self, page: Page, source: CommentSource) -> None:
        self.page, self.source = page, source
        self.layout = page.layout_of(TextLayout)

    def read(self, region: Region) -> Iterator[Comment]:
        blocks = self.page.blocks[region.first : region.end]
        draft, text_first = _Draft(), None
        for place, block in enumerate(blocks):
            follower = blocks[place + 1] if place + 1 < len(blocks) else None
            if is_heading(block.text) or self.within(block, _FORM):
                continue
            if block.words <= SHORT and self.signs(block, follower):
                text_first = False if text_first is None else text_first
                if draft.lines and not text_first:
                    yield from draft.comments()
                    draft = _Draft()
                self.sign(block, draft)
            elif block.words <= SHORT and is_button(block.text):
                draft.answered = bool(draft.lines)
            else:
                text_first = True if text_first is None else text_first
                if draft.lines and (draft.answered or (text_first and draft.signed)):
                    yield from draft.comments()
                    draft = _Draft()
                draft.lines.append(block.text)
        yield from draft.comments()

    def signs(self, block: Block, follower: Block | None) -> bool:
        """Whether a short line has the name or the date of a comment."""
        if block.index in self.source.stamps or block.index in self.source.names or is_date(block.text):
            return True
        if is_button(block.text):
            return False
        if int(self.layout.container[block.index]) in self.source.naming:
            return True
        name = without_date(block.text)
        if 0 < len(name.split()) <= _NAME and name != block.text and block.text.rstrip().endswith(":"):
            return True
        if len(block.text.split()) > _NAME or block.text[-1] in _ENDS:
            return False
        # A name on a line of its own, above its date.
        return (
            follower is not None
            and follower.words <= SHORT
            and is_date(follower.text)
            and not without_date(follower.text)
        )

    def sign(self, block: Block, draft: _Draft) -> None:
        index = block.index
        draft.signed = True
        stamp = self.source.stamps.get(index)
        draft.date = draft.date or machine_date(stamp) or any_date(block.text)
        name = without_date(self.source.names.get(index, "")) or without_date(block.text)
        if draft.author is None and 0 < len(name.split()) <= _NAME and not is_button(name):
            draft.author = name

    def within(self, block: Block, tags: tuple[int, ...]) -> bool:
        """Whether a block stands in one of some elements, a few levels up."""
        container = int(self.layout.container[block.index])
        for _ in range(6):
            if int(self.layout.tag[container]) in tags:
                return True
            if not container:
                break
            container = int(self.layout.parent[container])
        return False
