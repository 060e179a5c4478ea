"""What the second pass needs of a page, in a few kilobytes: blocks and scores instead of its source.

To cut a page into blocks and to ask the model takes most of the time of cleaning; what comes of it does not depend on
the site. It is kept where all stages after it are known to look at blocks, layout and head alone, which those of the
recipe ``default`` do. Of other recipes' pages the source is kept, and the second pass begins anew.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from cleancrawl.core.block import Block, Removal
from cleancrawl.core.html.head import Head
from cleancrawl.core.metadata.extract import Metadata
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import (
    BLOCK_COLUMNS,
    CONTAINER_COLUMNS,
    MEASURE_COLUMNS,
    Hits,
    Ints,
    Measures,
    TextLayout,
    ToldLinks,
)
from cleancrawl.corpus.parquet_file import load_pyarrow
from cleancrawl.methods.learned.learned_score import SCORES, LearnedScore
from cleancrawl.methods.learned.model import load_model
from cleancrawl.scale.archive.stages_by_kept import ByKept

_LIGHT = ("cleancrawl.methods.learned.", "cleancrawl.core.known_blocks")
_PROTOCOL = 5
_NARROW = (np.int16, np.int32)


class Verdicts(NamedTuple):
    """What the stages before the secondary phase have said about the blocks."""

    removed: list[tuple[int, str, str, str]]
    """Index, stage, rule and evidence: as such they are packed in a third of the time."""
    notes: dict[int, str]
    corrections: dict[int, Removal | None]

    @classmethod
    def of(cls, page: Page) -> Verdicts:
        removed = [
            (block.index, block.removed.stage, block.removed.rule, block.removed.evidence)
            for block in page.blocks
            if block.removed is not None
        ]
        return cls(removed, dict(page.notes), dict(page.corrections))

    def put_on(self, page: Page) -> None:
        page.notes, page.corrections = dict(self.notes), dict(self.corrections)
        for index, *verdict in self.removed:
            page.blocks[index].removed = Removal(*verdict)


class PackedTexts(NamedTuple):
    """Texts as one, which is packed and read in a third of the time."""

    joined: str
    apart: list[str] | None
    """The texts themselves where they are none, or have the character that parts them."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        joined = "\0".join(texts)
        return cls(joined, None) if joined.count("\0") == len(texts) - 1 else cls("", list(texts))

    def texts(self) -> list[str]:
        return self.joined.split("\0") if self.apart is None else self.apart


class PackedLayout(NamedTuple):
    """A layout as two arrays of small numbers: of many arrays of large ones the packing takes four times as long."""

    blocks: Any
    containers: Any
    hits: Hits
    told_links: ToldLinks
    named: list[int]
    names: PackedTexts

    @classmethod
    def of(cls, layout: TextLayout) -> PackedLayout:
        measures = layout.measures
        of_blocks = [getattr(layout, name) for name in BLOCK_COLUMNS]
        of_texts = [getattr(measures, name) for name in MEASURE_COLUMNS]
        return cls(
            _narrow(np.array([*of_blocks, *of_texts, *measures.counts])),
            _narrow(np.array([getattr(layout, name) for name in CONTAINER_COLUMNS])),
            layout.hits,
            layout.told_links,
            list(layout.class_names),
            PackedTexts.of(list(layout.class_names.values())),
        )

    def layout(self) -> TextLayout:
        blocks, containers = self.blocks.astype(np.int64), self.containers.astype(np.int64)
        own, names = len(BLOCK_COLUMNS), dict(zip(self.named, self.names.texts(), strict=True))
        measures = Measures.of(blocks[own:])
        return TextLayout.of(blocks[:own], containers, measures, self.hits, self.told_links, names)


def _narrow(columns: Ints) -> Any:
    least, most = (columns.min(), columns.max()) if columns.size else (0, 0)
    fitting = (kind for kind in _NARROW if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max)
    return columns.astype(next(fitting, np.int64))


@dataclass(frozen=True, slots=True)
class PausedPage:
    """A page between its two passes."""

    encoding: str | None
    html: str | None
    """The source: where the page is cut anew, or rendered with its markup."""
    cut: Cut | None
    """None where the page is cut anew."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A page as the first pass has left it."""

    texts: PackedTexts
    words: Sequence[int]
    link_words: Sequence[int]
    tags: Sequence[str]
    left_out: int
    head: Head
    layout: PackedLayout | None
    verdicts: Verdicts
    scores: Any
    metadata: Metadata
    by_kept: ByKept
    """What stages have said that the second pass need not ask again."""
    facts: dict[str, float]
    """What decides whether it is an article."""
    kept: Sequence[bool]
    """Which blocks the page keeps without its site."""


def is_light(recipe: Recipe) -> bool:
    """Whether blocks, layout and head are all that the recipe looks at after the primary phase."""
    later = (*recipe.secondary, *recipe.score)
    return all(type(stage) is TextBlocks for stage in recipe.segment) and all(
        type(stage).__module__.startswith(_LIGHT) for stage in later
    )


def cut_of(page: Page, verdicts: Verdicts, by_kept: ByKept, metadata: Metadata, facts: dict[str, float]) -> Cut:
    kept_scores = page.memo.get(SCORES)
    layout = page.layout
    return Cut(
        PackedTexts.of([block.text for block in page.blocks]),
        [block.words for block in page.blocks],
        [block.link_words for block in page.blocks],
        [block.tag for block in page.blocks],
        page.left_out,
        replace(page.head, links=[]),
        PackedLayout.of(layout) if isinstance(layout, TextLayout) else None,
        verdicts,
        None if kept_scores is None else kept_scores[1],
        metadata,
        by_kept,
        facts,
        [block.removed is None for block in page.blocks],
    )


def restored(state: PausedPage, url: str, recipe: Recipe) -> Page:
    """The page as it was before the secondary phase."""
    cut = state.cut
    if cut is None:
        page = Page(state.html or "", url, state.encoding)
        for phase in ("segment", "primary"):
            recipe.run_phase(phase, page)
        return page
    page = Page("", url, state.encoding)
    page.html = state.html or ""
    page.head, page.left_out = cut.head, cut.left_out
    page.layout = cut.layout and cut.layout.layout()
    # Without a step of Python's for each of them: pages have hundreds.
    page.blocks = list(
        map(Block, cut.texts.texts(), cut.words, cut.link_words, cut.tags, repeat(None), range(len(cut.words)))
    )
    cut.verdicts.put_on(page)
    model = next((stage.model for stage in recipe.score if isinstance(stage, LearnedScore)), None)
    if cut.scores is not None:
        page.memo[SCORES] = (load_model(model), cut.scores)
    return page


def pack(state: PausedPage) -> bytes:
    data = pickle.dumps(state, _PROTOCOL)
    packed: bytes = load_pyarrow().compress(data, codec="lz4", asbytes=True)
    return len(data).to_bytes(4, "little") + packed


def unpack(packed: bytes) -> PausedPage:
    """Of what ``pack`` gave; files of others are never read with it."""
    size = int.from_bytes(packed[:4], "little")
    data = load_pyarrow().decompress(packed[4:], size, codec="lz4", asbytes=True)
    state: PausedPage = pickle.loads(data)
    return state
