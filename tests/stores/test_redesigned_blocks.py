"""Blocks of a new design are known as soon as those of a new site, in every store."""

from __future__ import annotations

from cleancrawl import Cleaner, Recipe
from cleancrawl.core.known_blocks import KnownBlocks
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.stores.protocol import Store
from tests.stores.pages import story

BLOCKS = Recipe("blocks", "what recurs", segment=(TextBlocks(),), secondary=(KnownBlocks(3, 0.25),))


def page_of(design: str, number: int) -> str:
    menu = "".join(f"<li><a href=/{place}>{design} menu {place}</a></li>" for place in range(12))
    text = "".join(f"<p>{line}</p>" for line in story(number))
    return f"<title>Story {number}</title><ul>{menu}</ul><h1>Story {number}</h1>{text}<p>{design} imprint</p>"


def removed(cleaner: Cleaner, design: str, number: int) -> int:
    document = cleaner.clean(page_of(design, number), f"https://portal.example/{number}")
    return sum(block.removed is not None for block in document.blocks)


def test_a_redesign(store: Store) -> None:
    with Cleaner(BLOCKS, store) as cleaner:
        old = [removed(cleaner, "old", number) for number in range(60)]
        new = [removed(cleaner, "new", number) for number in range(60, 75)]
        again = [removed(cleaner, "new", number) for number in range(6)]
    assert old == [0, 0, 0] + [13] * 57
    assert new == old[:15]
    assert again == [13] * 6, "old pages fetched again in the new design"
