"""Where on its page a line of text stands: the block that holds it, and what its containers say of themselves."""

from __future__ import annotations

from dataclasses import dataclass, field

from cleancrawl.core.html.tags import TAG_IDS
from cleancrawl.core.page import Page
from cleancrawl.core.rules.class_hints import hint_names
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import tokens
from cleancrawl.methods.learned import recipe

_WIDE = 0.6
"""A container with a larger share of the page's blocks says nothing of one of them."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is around a block: the tags and the hints of its containers, innermost first."""

    tag: str
    tags: tuple[str, ...]
    hints: tuple[frozenset[str], ...]
    linked: bool
    """All its words are links."""


@dataclass(slots=True)
class Places:
    """The blocks of a page by their words; the first block with a text stands for all with the same."""

    title: str
    by_words: dict[str, Place] = field(default_factory=dict)

    def find(self, line: str) -> Place | None:
        return self.by_words.get(_flat(line))


def places_of(gold: GoldPage) -> Places:
    """The places of a page as ``default`` cuts it."""
    page = Page(gold.html(), gold.url)
    for stage in recipe().segment:
        stage(page)
    places = Places(_flat(gold.title or page.title))
    if not page.blocks:
        return places
    layout = page.layout_of(TextLayout)
    names, bits = hint_names(), layout.hints.tolist()
    parents, tags = layout.parent.tolist(), layout.tag.tolist()
    sizes = (layout.end_block - layout.first_block).tolist()
    tag_names = {number: name for name, number in TAG_IDS.items()}
    around: dict[int, tuple[tuple[str, ...], tuple[frozenset[str], ...]]] = {}
    for block, container in zip(page.blocks, layout.container.tolist(), strict=True):
        if container not in around:
            held, found = [], []
            number = container
            while number > 0 and sizes[number] <= max(_WIDE * len(page.blocks), 1):
                held.append(tag_names.get(tags[number], ""))
                found.append(frozenset(name for bit, name in enumerate(names) if bits[number] >> bit & 1))
                number = parents[number]
            around[container] = tuple(held), tuple(found)
        linked = block.link_words >= block.words > 0
        places.by_words.setdefault(_flat(block.text), Place(block.tag, *around[container], linked))
    return places


def _flat(text: str) -> str:
    return " ".join(tokens(text.lower()))
