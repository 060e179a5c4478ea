"""A page between its two passes is read as it was packed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cleancrawl.core.document import Document
from cleancrawl.core.metadata.extract import authors_of
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import features
from cleancrawl.core.segmentation.text_layout import BLOCK_COLUMNS, CONTAINER_COLUMNS, Ints, TextLayout
from cleancrawl.recipes import get_recipe
from cleancrawl.scale.archive import paused_pages
from cleancrawl.scale.archive.paused_pages import (
    KEPT_COUNTS,
    KEPT_OF_BLOCKS,
    KEPT_OF_CONTAINERS,
    PackedColumns,
    PackedSource,
    PackedTexts,
    PausedPage,
    Verdicts,
    cut_of,
    pack,
    restored,
    unpack,
)
from cleancrawl.scale.archive.stages_by_kept import run_score
from tests.twins import twins

HTML = "<title>Ferry</title><body class=story><ul><li><a href=/>Home</a></ul><p>" + "The ferry sails again. " * 30


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["one"], ["one", "two\n"], ["one\0", "two"], ["\0"]])
def test_texts_are_packed_whatever_they_have(texts: list[str]) -> None:
    assert PackedTexts.of(texts).texts() == texts


@pytest.mark.parametrize("narrowed", twins(paused_pages.narrowed_in_python, "column_bytes", "narrowed"))
@pytest.mark.parametrize(
    ("numbers", "size"),
    [([], 2), ([0], 2), ([-32_768, 32_767], 2), ([32_768], 4), ([-32_769], 4), ([-(1 << 31)], 4), ([1 << 31], 8)],
)
def test_numbers_take_as_many_bytes_as_they_need(
    narrowed: Callable[[list[Ints]], tuple[int, bytes]], numbers: list[int], size: int
) -> None:
    columns = np.array([numbers, numbers], dtype=np.int64)
    packed = PackedColumns(*narrowed([*columns]))
    assert packed.size == size
    assert np.array_equal(packed.columns(2), columns)
    # A column may be one of a table by rows.
    assert narrowed([*np.stack([*columns], axis=1).T]) == packed


@pytest.mark.parametrize("html", ["", HTML, HTML.replace("again", "again" * 20_000)])
def test_a_page_goes_on_as_it_was(html: str) -> None:
    recipe, page = get_recipe("default"), Page(html, "https://a.example/ferry")
    recipe.run_phase("segment", page)
    recipe.run_phase("primary", page)
    verdicts = Verdicts.of(page)
    said = run_score(recipe, page)
    metadata = Document(page, "default").metadata
    state = PausedPage(
        "utf-8", PackedSource.of(html + "\ud800"), cut_of(page, verdicts, said, metadata, features(page, metadata))
    )
    again = restored(unpack(pack(state)), "https://a.example/ferry", recipe)
    assert [(block.text, block.words, block.link_words, block.tag) for block in again.blocks] == [
        (block.text, block.words, block.link_words, block.tag) for block in page.blocks
    ]
    assert again.html == html + "\ud800"
    before, after = page.layout_of(TextLayout), again.layout_of(TextLayout)
    for name in (*KEPT_OF_BLOCKS, *KEPT_OF_CONTAINERS, "hints"):
        assert np.array_equal(getattr(before, name), getattr(after, name)), name
    assert np.array_equal(before.measures.words, after.measures.words)
    for kind in KEPT_COUNTS:
        assert np.array_equal(before.measures.counts[kind], after.measures.counts[kind])
    for name in {*BLOCK_COLUMNS, *CONTAINER_COLUMNS} - {*KEPT_OF_BLOCKS, *KEPT_OF_CONTAINERS, "hints"}:
        assert not hasattr(after, name)
    assert before.class_names == after.class_names
    run_score(recipe, again, said)
    assert [block.removed for block in again.blocks] == [block.removed for block in page.blocks]


def test_who_wrote_a_page_is_known_without_its_source() -> None:
    html = HTML.replace("<ul>", "<h1>Ferry</h1><div><a rel=author href=/ruth>Ruth Abara</a></div><ul>")
    recipe, page = get_recipe("default"), Page(html, "https://a.example/ferry")
    recipe.run_phase("segment", page)
    verdicts, said = Verdicts.of(page), run_score(recipe, page)
    metadata = Document(page, "default").metadata
    cut = cut_of(page, verdicts, said, metadata, features(page, metadata))
    again = restored(unpack(pack(PausedPage("utf-8", None, cut))), "https://a.example/ferry", recipe)
    assert authors_of(again) == authors_of(page) == metadata.authors == ("Ruth Abara",)
