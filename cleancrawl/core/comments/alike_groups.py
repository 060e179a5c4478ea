"""Groups of name, date and text that follow each other, without a class or a heading that would name them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block import Block
from cleancrawl.core.comments.comment_words import is_button, is_date, without_date
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page, Region
from cleancrawl.core.segmentation.text_layout import TextLayout

LEAST = 3
_NAME = 4
"""Words of a name, at most."""
_TEXT = 5
"""Words of a text, at least, in most of the groups."""


def alike_groups(page: Page, signs: NDArray[np.int64], start: int) -> Iterator[Region]:
    """Runs of at least ``LEAST`` groups with a name, a date and a text each, whose dates are in elements alike.

    Lists of articles have a headline instead of a name; the entries of a live report have none, or the same one. Lists
    of reviews, books and events are told apart by what readers press below a comment, which they lack.
    """
    layout = page.layout_of(TextLayout)
    paths = layout.class_path[layout.container]
    dated: dict[int, list[int]] = {}
    for index in (np.flatnonzero(signs[start:]) + start).tolist():
        dated.setdefault(int(paths[index]), []).append(index)
    for places in dated.values():
        if len(places) < LEAST:
            continue
        groups = [place for place in places if is_date(page.blocks[place].text)]
        names = [_name(page.blocks, place) for place in groups]
        named = [place for place, name in zip(groups, names, strict=True) if name]
        if len(named) < max(LEAST, 0.8 * len(groups)) or len({name for name in names if name}) * 2 <= len(named):
            continue
        if _texts(page.blocks, named) * 3 >= 2 * len(named) and _answered(page.blocks, named) * 2 >= len(named):
            yield _region(layout, page.blocks, named)


def _name(blocks: list[Block], place: int) -> str:
    """Who wrote a group, from the line of its date or from the one before."""
    own = without_date(blocks[place].text)
    before = blocks[place - 1] if place else None
    for text, tag in ((own, ""), (before.text, before.tag) if before else ("", "")):
        words = text.split()
        if 0 < len(words) <= _NAME and text[-1] not in ".!?:…" and not (tag in HEADINGS and len(words) > 2):
            return text
    return ""


def _texts(blocks: list[Block], groups: list[int]) -> int:
    """How many groups have a text of their own, and no headline."""
    found = 0
    for place, end in zip(groups, [*groups[1:], min(groups[-1] + 6, len(blocks))], strict=True):
        inside = blocks[place + 1 : min(end, place + 12)]
        plain = [block for block in inside if block.words >= _TEXT and 2 * block.link_words <= block.words]
        found += bool(plain) and not any(block.tag in HEADINGS and block.words > _NAME for block in inside)
    return found


def _answered(blocks: list[Block], groups: list[int]) -> int:
    """How many groups can be answered or reported."""
    ends = [*groups[1:], min(groups[-1] + 6, len(blocks))]
    return sum(
        any(is_button(block.text) for block in blocks[place + 1 : min(end, place + 12)])
        for place, end in zip(groups, ends, strict=True)
    )


def _region(layout: TextLayout, blocks: list[Block], groups: list[int]) -> Region:
    """From the first name to the end of the element that holds all groups, where that holds nothing before them."""
    first = groups[0] - (not without_date(blocks[groups[0]].text) and groups[0] > 0)
    container = int(layout.container[groups[0]])
    while container and layout.end_block[container] <= groups[-1]:
        container = int(layout.parent[container])
    evidence = f"{len(groups)} alike groups"
    if layout.first_block[container] >= first - 2:
        return Region(first, int(layout.end_block[container]), evidence)
    paths = layout.class_path[layout.container]
    texts = set(paths[groups[0] + 1 : groups[-1]].tolist())
    end = groups[-1] + 1
    while end < len(blocks) and int(paths[end]) in texts:
        end += 1
    return Region(first, end, evidence)
