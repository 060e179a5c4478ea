"""How much of an article's blocks a text holds, by their kind: paragraphs, items, cells, standfirsts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.html.tags import BLOCK_TAGS, HEADINGS, TAG_IDS
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import tokens
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.lab.learn.labels import align
from cleancrawl.recipes import get_recipe

KINDS = (
    "paragraph",
    "short paragraph",
    "standfirst",
    "heading",
    "headline",
    "list item",
    "table cell",
    "definition",
    "quotation",
    "other",
)
LONG = 15
"""A paragraph has at least this many words."""
STANDFIRST = 5
"""So has a standfirst."""
CELL = 40
"""Words up to which a cell is one of a table; larger ones lay the page out."""
_TAGS = ("", *BLOCK_TAGS)
_HOLDERS = {
    **dict.fromkeys(("td", "th", "caption"), "table cell"),
    "li": "list item",
    **dict.fromkeys(("dt", "dd"), "definition"),
    "blockquote": "quotation",
}


@dataclass(slots=True)
class Tally:
    """Wanted blocks of one kind, their words, and what of both the text holds."""

    blocks: int = 0
    words: int = 0
    found: int = 0
    found_words: int = 0

    def add(self, words: int, found: bool) -> None:
        self.blocks += 1
        self.words += words
        if found:
            self.found += 1
            self.found_words += words


Tallies = dict[str, Tally]


def report(pages: Sequence[GoldPage], recipe: str, texts: Mapping[str, str] | None = None) -> str:
    """A table over the pages with a gold text, from a recipe or from texts made elsewhere, such as out of fold."""
    return table(tally(pages, recipe, texts))


def table(tallies: Mapping[str, Tally]) -> str:
    rows = [
        [
            kind,
            f"{found.blocks:,}",
            f"{found.words:,}",
            share(found.found / found.blocks),
            share(found.found_words / max(found.words, 1)),
        ]
        for kind in KINDS
        if (found := tallies.get(kind))
    ]
    return markdown_table(["wanted blocks", "blocks", "words", "found", "words found"], rows)


def tally(pages: Sequence[GoldPage], recipe: str, texts: Mapping[str, str] | None = None) -> Tallies:
    tallies: Tallies = defaultdict(Tally)
    for gold in pages:
        if gold.text is None:
            continue
        html = gold.html()
        if texts is None:
            cleaned = Page(html, gold.url)
            get_recipe(recipe).run(cleaned)
            lines = Counter(block.text for block in cleaned.kept)
        else:
            lines = Counter((texts.get(gold.key) or texts.get(gold.id, "")).split("\n"))
        page = Page(html, gold.url)
        TextBlocks()(page)
        for kind, words, found in wanted_blocks(page, gold.text, lines):
            tallies[kind].add(words, found)
    return dict(tallies)


def wanted_blocks(page: Page, gold: str, lines: Counter[str]) -> list[tuple[str, int, bool]]:
    """Kind and words of each block that the gold text holds, and whether the lines of a text hold it too.

    A text that stands on the page more often than in the gold is wanted as often as the gold has it.
    """
    if not page.blocks:
        return []
    labels = align(page.blocks, gold)
    flat, left = f" {' '.join(tokens(gold.lower()))} ", lines.copy()
    due: dict[str, int] = {}
    found = []
    for block, kind in zip(page.blocks, block_kinds(page, labels >= 0.5), strict=True):
        if kind is None:
            continue
        number = due.setdefault(block.text, max(1, flat.count(f" {' '.join(tokens(block.text.lower()))} ")))
        if number:
            due[block.text] -= 1
            # A block of several lines is found by its first.
            line = block.text.partition("\n")[0]
            held = left[block.text] > 0 or left[line] > 0
            left[block.text if left[block.text] > 0 else line] -= 1
            found.append((kind, block.words, held))
    return found


def block_kinds(page: Page, wanted: NDArray[np.bool_]) -> list[str | None]:
    """The kind of each wanted block; None for the others.

    A standfirst is the first wanted text with something unwanted behind it: a byline, a date, buttons.
    """
    layout = page.layout_of(TextLayout)
    holders = _holders(layout)
    kinds: list[str | None] = [None] * len(page.blocks)
    first = True
    for index in _inside(layout, wanted):
        block = page.blocks[index]
        if block.tag in HEADINGS:
            kinds[index] = "headline" if block.tag == "h1" else "heading"
            continue
        opening = first and block.words >= STANDFIRST and index + 1 < len(wanted) and not wanted[index + 1]
        kinds[index] = "standfirst" if opening else holders[index] or _plain(block.tag, block.words)
        first = False
    return kinds


def _inside(layout: TextLayout, wanted: NDArray[np.bool_]) -> list[int]:
    """Wanted blocks from the first to the last of some words without links: "Baking" in a menu is in the gold too."""
    plain = np.flatnonzero(wanted & (layout.measures.words - layout.link_words >= STANDFIRST))
    within = wanted.copy()
    if len(plain):
        within[: plain[0]] = within[plain[-1] + 1 :] = False
    found: list[int] = np.flatnonzero(within).tolist()
    return found


def _plain(tag: str, words: int) -> str:
    if tag in ("figcaption", "button", "address"):
        return "other"
    return "paragraph" if words >= LONG else "short paragraph"


def _holders(layout: TextLayout) -> list[str]:
    """The kind that the nearest item, cell or quotation around each block gives it."""
    # Containers come after their parents.
    of_tag = [_HOLDERS.get(tag, "") for tag in _TAGS]
    sums = np.concatenate(([0], np.cumsum(layout.measures.words)))
    words = (sums[layout.end_block] - sums[layout.first_block]).tolist()
    cells = {TAG_IDS["td"], TAG_IDS["th"]}
    kinds: list[str] = []
    for number, (parent, tag) in enumerate(zip(layout.parent.tolist(), layout.tag.tolist(), strict=True)):
        own = of_tag[tag] if tag not in cells or words[number] <= CELL else ""
        kinds.append(own or (kinds[parent] if number else ""))
    return [kinds[number] for number in layout.container.tolist()]
