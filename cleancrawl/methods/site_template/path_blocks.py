"""METHODS C: blocks that know the paths of their text leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from cleancrawl.core.block import Block
from cleancrawl.core.html.outline import Outline, read_outline
from cleancrawl.core.page import Layout, Page
from cleancrawl.core.text.words import count_words
from cleancrawl.methods.site_template.paths import Paths, as_paths, element_paths, leaf_paths
from cleancrawl.methods.site_template.site_templates import SiteTemplates


@dataclass(slots=True, eq=False)
class PathLayout(Layout):
    """The paths of a page, and those of the text leaves of its blocks, one block after the other."""

    paths: Paths
    leaves: Paths
    starts: list[int]
    """Where each block's leaves start in ``leaves``; one entry more than there are blocks."""
    templates: SiteTemplates | None = None
    """Those of the page's site, where it is known."""


@dataclass(frozen=True, slots=True)
class PathBlocks:
    """A block per line of text: what lies between two block-level tags. Fills ``page.blocks`` and ``page.layout``."""

    makes: ClassVar[type[PathLayout]] = PathLayout

    def __call__(self, page: Page) -> None:
        outline, page.head = read_outline(page.html)
        elements = element_paths(outline)
        numbers = leaf_paths(outline, elements)
        leaves: list[int] = []
        starts = [0]
        for start, end in text_lines(outline):
            text = outline.lines(start, end)
            if not text:
                continue
            words = count_words(text)
            counts = outline.word_counts[start:end]
            linked = sum(count for count, inside in zip(counts, outline.linked[start:end], strict=True) if inside)
            tag = outline.tags[outline.owners[start]] if outline.owners[start] >= 0 else ""
            page.blocks.append(Block(text, words, min(linked, words), tag, index=len(page.blocks)))
            leaves += numbers[start:end]
            starts.append(len(leaves))
        page.layout = PathLayout(as_paths([*elements, *numbers]), np.array(leaves, dtype=np.uint64), starts)


def text_lines(outline: Outline) -> Iterator[tuple[int, int]]:
    """Runs of texts that no block-level tag separates."""
    bounds = [position for position, breaks in enumerate(outline.breaks) if breaks or not position]
    yield from pairwise([*bounds, len(outline.texts)])
