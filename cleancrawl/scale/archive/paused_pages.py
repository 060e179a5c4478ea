"""What the second pass needs of a page, in a few kilobytes: blocks and scores instead of its source.

To cut a page into blocks and to ask the model takes most of the time of cleaning; what comes of it does not depend on
the site. It is kept where all stages after it are known to look at blocks, layout and head alone, which those of the
recipe ``default`` do. Of other recipes' pages the source is kept, and the second pass begins anew.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from cleancrawl.core.block import Removal, removal
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.html.head import Head
from cleancrawl.core.metadata.extract import AUTHORS
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import features
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.segmentation.text_blocks import TextBlocks, blocks_of
from cleancrawl.core.segmentation.text_layout import CONTAINER_COLUMNS, Ints, Measures, TextLayout
from cleancrawl.core.text.characters import DIGIT
from cleancrawl.core.whole_posts import POSTS, SHOWN
from cleancrawl.corpus.parquet_file import load_pyarrow
from cleancrawl.methods.learned.hidden_elements import HIDDEN
from cleancrawl.methods.learned.learned_score import SCORES, LearnedScore
from cleancrawl.methods.learned.model import load_model
from cleancrawl.methods.learned.repeated_runs import REPEATED
from cleancrawl.methods.learned.site_slots import BLOCK_SLOTS, block_slots
from cleancrawl.scale.archive.stages_by_kept import ByKept, told_removals

_LIGHT = ("cleancrawl.methods.learned.", "cleancrawl.core.known_blocks")
KEPT_OF_BLOCKS = ("container", "link_words", "marks")
KEPT_COUNTS = (DIGIT,)
KEPT_OF_CONTAINERS = tuple(name for name in CONTAINER_COLUMNS if name not in ("path", "hints"))
"""Columns that are asked for after the primary phase, besides the words of blocks and the hints of containers."""
REMEMBERED = (HIDDEN, POSTS, SHOWN, REPEATED, BLOCK_SLOTS)
_HEAD = ("title", "language", "base", "meta", "json_ld")
"""Of a page's head. Links are for metadata alone, and what JSON-LD says is seldom asked for again."""
_head_values = attrgetter(*_HEAD)
_stated = attrgetter(*(field.name for field in fields(Metadata)))
_PROTOCOL = 5
_KINDS = {2: np.int16, 4: np.int32, 8: np.int64}


class Verdicts(NamedTuple):
    """What the stages before the secondary phase have said about the blocks."""

    removed: list[tuple[int, str, str, str]]
    """Index, stage, rule and evidence: as such they are packed in a third of the time."""
    notes: dict[int, str]
    corrections: dict[int, Removal | None]

    @classmethod
    def of(cls, page: Page) -> Verdicts:
        return cls(told_removals(page, b"\1" * len(page.blocks)), dict(page.notes), dict(page.corrections))

    def put_on(self, page: Page) -> None:
        page.notes, page.corrections = dict(self.notes), dict(self.corrections)
        for index, *verdict in self.removed:
            page.blocks[index].removed = removal(*verdict)


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


class PackedColumns(NamedTuple):
    """Columns of numbers as bytes: an array as such is packed, and read, in five times the time."""

    size: int
    """Bytes of a number, the fewest that hold them all."""
    data: bytes

    @classmethod
    def of(cls, columns: list[Ints]) -> PackedColumns:
        """Of columns of one length, one after another."""
        return cls(*_narrowed(columns))

    def columns(self, number: int) -> Ints:
        """So many columns, a row each."""
        found: Ints = np.frombuffer(self.data, _KINDS[self.size]).reshape(number, -1).astype(np.int64)
        return found


def narrowed_in_python(columns: list[Ints]) -> tuple[int, bytes]:
    """The bytes of each number of some columns, two, four or eight, and the numbers in the order of the machine."""
    array = np.concatenate([np.zeros(0, np.int64), *columns])
    least, most = int(array.min(initial=0)), int(array.max(initial=0))
    size = next(size for size in _KINDS if -(1 << 8 * size - 1) <= least and most < 1 << 8 * size - 1)
    return size, array.astype(_KINDS[size]).tobytes()


_part = compiled("column_bytes")
_narrowed = narrowed_in_python if _part is None else _part.narrowed


class RestoredLayout(TextLayout):
    """A layout without the columns that nobody asks for any more, whose names are unpacked when somebody asks for them:
    on most pages nobody does."""

    __slots__ = ("_names", "_packed")

    def __init__(self, named: PackedColumns, names: PackedTexts) -> None:
        # Without that of the class above, which asks for all columns.
        self._packed: tuple[PackedColumns, PackedTexts] | None = (named, names)

    @property
    def class_names(self) -> dict[int, str]:
        if self._packed is not None:
            named, names = self._packed
            self.class_names = dict(zip(named.columns(1)[0].tolist(), names.texts(), strict=True))
        return self._names

    @class_names.setter
    def class_names(self, names: dict[int, str]) -> None:
        self._names, self._packed = names, None


class PackedLayout(NamedTuple):
    """What is asked of a layout after the primary phase, as a few runs of small numbers."""

    blocks: PackedColumns
    containers: PackedColumns
    hints: PackedColumns
    """Apart from the others: they alone are large."""
    named: PackedColumns
    names: PackedTexts

    @classmethod
    def of(cls, layout: TextLayout) -> PackedLayout:
        measures, names = layout.measures, layout.class_names
        of_blocks = [getattr(layout, name) for name in KEPT_OF_BLOCKS]
        return cls(
            PackedColumns.of([*of_blocks, measures.words, *(measures.counts[kind] for kind in KEPT_COUNTS)]),
            PackedColumns.of([getattr(layout, name) for name in KEPT_OF_CONTAINERS]),
            PackedColumns.of([layout.hints]),
            PackedColumns.of([np.fromiter(names, np.int64, len(names))]),
            PackedTexts.of(list(names.values())),
        )

    def layout(self) -> TextLayout:
        """A layout without the other columns: whoever asks for one of them fails instead of being told wrong."""
        layout, measures = RestoredLayout(self.named, self.names), Measures.__new__(Measures)
        columns = [*self.blocks.columns(len(KEPT_OF_BLOCKS) + 1 + len(KEPT_COUNTS))]
        for name, column in zip(KEPT_OF_BLOCKS, columns, strict=False):
            setattr(layout, name, column)
        for name, column in zip(KEPT_OF_CONTAINERS, self.containers.columns(len(KEPT_OF_CONTAINERS)), strict=True):
            setattr(layout, name, column)
        (layout.hints,) = self.hints.columns(1)
        measures.words, *counts = columns[len(KEPT_OF_BLOCKS) :]
        by_kind: Any = dict(zip(KEPT_COUNTS, counts, strict=True))
        measures.counts = by_kind
        layout.measures = measures
        return layout


class PackedSource(NamedTuple):
    """A page's source, which is large enough to be worth packing tightly."""

    size: int
    packed: bytes

    @classmethod
    def of(cls, html: str) -> PackedSource:
        data = html.encode("utf-8", "surrogatepass")
        return cls(len(data), load_pyarrow().compress(data, codec="lz4", asbytes=True))

    def html(self) -> str:
        data: bytes = load_pyarrow().decompress(self.packed, self.size, codec="lz4", asbytes=True)
        return data.decode("utf-8", "surrogatepass")


class PausedPage(NamedTuple):
    """A page between its two passes."""

    encoding: str | None
    source: PackedSource | None
    """Where the page is cut anew, or rendered with its markup."""
    cut: Cut | None
    """None where the page is cut anew."""


class Cut(NamedTuple):
    """A page as the first pass has left it."""

    texts: PackedTexts
    left_out: int
    head: tuple[Any, ...]
    layout: PackedLayout
    verdicts: Verdicts
    scores: bytes | None
    """What the model says of each block."""
    stated: tuple[Any, ...]
    """The fields of its metadata: as such they are packed in a fifth of the time."""
    by_kept: Sequence[ByKept]
    """What stages have said that the second pass need not ask again."""
    told: tuple[float, ...] | dict[str, float]
    """What decides whether it is an article; without names where these are the usual ones."""
    kept: bytes
    """A byte per block: whether the page keeps it without its site."""
    remembered: dict[str, Any]
    """What stages and deciders need not find out again, by ``REMEMBERED``."""

    @property
    def metadata(self) -> Metadata:
        return Metadata(*self.stated)

    @property
    def facts(self) -> dict[str, float]:
        told = self.told
        return told if isinstance(told, dict) else dict(zip(fact_names(), told, strict=True))


@cache
def fact_names() -> tuple[str, ...]:
    """The names of the facts of a page with an address."""
    return tuple(features(Page("", "https://a.example/"), Metadata()))


def is_light(recipe: Recipe) -> bool:
    """Whether blocks, layout and head are all that the recipe looks at after the primary phase."""
    later = (*recipe.secondary, *recipe.score)
    return all(type(stage) is TextBlocks for stage in recipe.segment) and all(
        type(stage).__module__.startswith(_LIGHT) for stage in later
    )


def cut_of(
    page: Page, verdicts: Verdicts, by_kept: Sequence[ByKept], metadata: Metadata, facts: dict[str, float]
) -> Cut:
    kept_scores = page.memo.get(SCORES)
    block_slots(page)
    return Cut(
        PackedTexts.of([block.text for block in page.blocks]),
        page.left_out,
        _head_values(page.head),
        PackedLayout.of(page.layout_of(TextLayout)),
        verdicts,
        None if kept_scores is None else kept_scores[1].tobytes(),
        _stated(metadata),
        by_kept,
        tuple(facts.values()) if tuple(facts) == fact_names() else facts,
        kept_blocks(page.blocks),
        {name: value for name in REMEMBERED if (value := page.remembered(name)) is not None},
    )


class CutPage(Page):
    """A page whose source is unpacked when somebody asks for it: of many that have kept theirs hardly any needs it."""

    __slots__ = ("_html", "packed")

    def __init__(self, packed: PackedSource | None, url: str, encoding: str | None) -> None:
        self.packed = packed
        super().__init__("", url, encoding)

    @property
    def html(self) -> str:
        if self.packed is not None:
            self._html, self.packed = self.packed.html(), None
        return self._html

    @html.setter
    def html(self, html: str) -> None:
        self._html = html


def restored(state: PausedPage, url: str, recipe: Recipe) -> Page:
    """The page as it was before the secondary phase."""
    cut = state.cut
    if cut is None:
        page = Page("" if state.source is None else state.source.html(), url, state.encoding)
        for phase in ("segment", "primary"):
            recipe.run_phase(phase, page)
        return page
    page = CutPage(state.source, url, state.encoding)
    page.head, page.left_out = Head(**dict(zip(_HEAD, cut.head, strict=True))), cut.left_out
    layout = page.layout = cut.layout.layout()
    page.blocks = blocks_of(cut.texts.texts(), layout)
    cut.verdicts.put_on(page)
    for name, value in cut.remembered.items():
        page.remember(name, value)
    page.memo[AUTHORS] = cut.metadata.authors  # some are told by the source alone
    model = next((stage.model for stage in recipe.score if isinstance(stage, LearnedScore)), None)
    if cut.scores is not None:
        page.memo[SCORES] = (load_model(model), np.frombuffer(cut.scores, np.float32))
    return page


def pack(state: PausedPage) -> bytes:
    return pickle.dumps(state, _PROTOCOL)


def unpack(packed: bytes | memoryview) -> PausedPage:
    """Of what ``pack`` gave; files of others are never read with it."""
    state: PausedPage = pickle.loads(packed)
    return state
