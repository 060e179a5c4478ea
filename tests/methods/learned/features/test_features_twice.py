"""Features of text, wording, structure and context, by Python and compiled: both write the same numbers."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.features import block_text as text
from cleancrawl.methods.learned.features import context, structure, wording
from cleancrawl.methods.learned.features.facts import Facts, page_facts, with_good
from cleancrawl.methods.learned.features.sheet import Arrangement, Space

MODULES = {
    "text_features": text,
    "wording_features": wording,
    "structure_features": structure,
    "context_features": context,
}
modules = pytest.mark.parametrize(
    "module",
    [
        pytest.param(
            module,
            id=part,
            marks=pytest.mark.skipif(compiled(part) is None, reason=f"compiled part {part}: {why_not(part)}"),
        )
        for part, module in MODULES.items()
    ],
)

SENTENCE = "The council decided on Monday, after a long debate, to rebuild the old bridge over the river. "
STORY = f"<h1>Old bridge</h1><p>{SENTENCE * 3}</p><p>{SENTENCE}<p><a href=/x>{SENTENCE}</a><p>{SENTENCE * 2}"
PAGES = [
    "a1",
    "<p>a1</p>",
    "<div>" * 300 + "x1",
    "<h2>t1…</h2><p>北京欢迎你。</p>" * 3,
    f"<meta property=og:type content=article><nav class=menu><a href=/>Home</a></nav><article>{STORY}</article>",
    f"<div class='related box'><ul>{'<li><a href=/1>Another story of the town...</a>' * 40}</ul></div>{STORY}",
    f"<div hidden><p>{SENTENCE * 4}</div>{STORY}<footer>© 2026</footer>",
    "<table><tr><td>1<td>2<th>3</table>" * 60,
    f"<pre>{SENTENCE * 2000}</pre>",
    "<p>1 one</p>" * 9000,
    f"<h3>Related</h3><p>Tags</p>{STORY}<b>Share this</b><p>Comments</p><h2><a href=/y>Read also</a></h2><p>Newsletter",
    "<p>share</p>" * 9000,
]
PIECES = [
    "<p>",
    "</p>",
    "<div class=ad>",
    "<section id=main>",
    "</div>",
    "<li>",
    "<h1>",
    "<h2>",
    "<a>",
    "<b>",
    "Read also",
    "Share this",
    "Subscribe to our newsletter",
    SENTENCE,
]


def measured(html: str) -> Facts | None:
    page = Page(html)
    TextBlocks()(page)
    return page_facts(page) if page.blocks else None


UNFILLED = -1
"""A mask that no module makes."""


def empty(module: ModuleType, size: int) -> Space:
    values = np.full((len(module.FEATURES.values), size), np.nan, dtype=np.float32)
    return Space(values, np.full((len(module.FEATURES.bits), size), UNFILLED, dtype=np.int64))


def filled(fill: Any, module: ModuleType, facts: Facts) -> Space:
    space = empty(module, facts.size)
    fill(space, facts)
    return space


def assert_both_fill_the_same(module: ModuleType, facts: Facts) -> None:
    compiled, python = (filled(fill, module, facts) for fill in (module.fill_compiled, module.fill_in_python))
    # Logarithms of fractions may differ in the last bit where NumPy has its own.
    np.testing.assert_array_max_ulp(compiled.values, python.values, maxulp=1)
    np.testing.assert_array_equal(compiled.masks, python.masks)


@modules
@pytest.mark.parametrize("html", PAGES, ids=range(len(PAGES)))
def test_pages_of_all_kinds(module: ModuleType, html: str) -> None:
    facts = measured(html)
    assert facts is not None
    assert_both_fill_the_same(module, facts)


@modules
@settings(deadline=None, max_examples=80)
@given(pieces=st.lists(st.one_of(st.text(max_size=20), st.sampled_from(PIECES))))
def test_any_page(module: ModuleType, pieces: list[str]) -> None:
    facts = measured("".join(pieces))
    if facts is not None:
        assert_both_fill_the_same(module, facts)


@modules
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("container", [9]),
        ("container", [0, 0]),
        ("parent", [1]),
        ("first_block", [2]),
        ("end_block", [2]),
        ("path", [7]),
        ("class_path", [-1]),
        ("links", []),
    ],
)
def test_a_layout_that_refers_to_nothing_is_refused(module: ModuleType, field: str, value: list[int]) -> None:
    facts = measured("<p>some text</p>")
    assert facts is not None
    kept = getattr(facts.layout, field)
    broken = np.array(value, dtype=np.int64)
    if field != "container" and field != "links":
        broken = np.concatenate((broken, kept[1:]))
    facts.layout = replace(facts.layout, **{field: broken})
    with pytest.raises(ValueError, match=r"layout|differ"):
        filled(module.fill_compiled, module, facts)


@modules
def test_facts_of_another_page_are_refused(module: ModuleType) -> None:
    one, other = measured("<p>some text</p>"), measured("<p>some text</p><p>more text</p>")
    assert one is not None
    assert other is not None
    with pytest.raises(ValueError, match=r"differ|layout"):
        module.fill_compiled(empty(module, 1), other)
    with pytest.raises(ValueError, match=r"differ|layout"):
        module.fill_compiled(Space(empty(module, 2).values[1:], empty(module, 2).masks), other)
    one.mains = one.mains + 99
    with pytest.raises(ValueError, match="main container"):
        filled(module.fill_compiled, module, one)


@pytest.mark.parametrize("module", MODULES.values(), ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_declared_feature_is_filled(module: ModuleType) -> None:
    facts = measured(PAGES[4])
    assert facts is not None
    for fill in {module.fill, getattr(module, "fill_in_python", module.fill)}:
        space = filled(fill, module, facts)
        found = Arrangement(module.FEATURES.values, module.FEATURES.bits).spread(space)
        is_filled = np.isfinite(found).all(axis=1)
        assert [name for name, right in zip(module.FEATURES.names, is_filled, strict=True) if not right] == []
        assert (space.masks != UNFILLED).all()


@modules
def test_a_part_refuses_features_that_it_does_not_fill(module: ModuleType) -> None:
    # Of the wording a group is filled in Python alone.
    places, masks = getattr(module, "_PLACES", module.FEATURES.places), module.FEATURES.mask_places
    has_flags = len(masks) > 1

    def make(places: dict[str, int], masks: dict[str, int] = masks) -> None:
        type(module._twin)(*((places, masks) if has_flags else (places,)), **module._GIVEN)

    make(places)
    with pytest.raises(ValueError, match="not filled by the compiled part: mood"):
        make({**places, "mood": 0})
    for missing in places:
        with pytest.raises(ValueError, match=missing):
            make({name: row for name, row in places.items() if name != missing})
    with pytest.raises(ValueError, match="a feature has no row"):
        make({**places, "feature_count": 1})
    if has_flags:
        with pytest.raises(ValueError, match="not filled by the compiled part: moods"):
            make(places, {**masks, "moods": 0})
        for missing in masks:
            with pytest.raises(ValueError, match=missing):
                make(places, {name: row for name, row in masks.items() if name != missing})
        with pytest.raises(ValueError, match="a family of flags has no mask"):
            make(places, {**masks, "mask_count": 1})


@modules
def test_masks_for_other_features_are_refused(module: ModuleType) -> None:
    facts = measured("<p>some text</p>")
    assert facts is not None
    space = empty(module, 1)
    if len(space.masks):
        for masks in (space.masks[1:], np.repeat(space.masks, 2, axis=1)):
            with pytest.raises(ValueError, match="masks and features differ in size"):
                module.fill_compiled(Space(space.values, masks), facts)


@modules
@pytest.mark.parametrize("html", PAGES[3:7], ids=range(3, 7))
def test_of_blocks_that_are_not_wanted_nothing_need_be_known(module: ModuleType, html: str) -> None:
    facts = measured(html)
    assert facts is not None
    wanted = np.arange(1, facts.size, 2)
    again = with_good(facts, facts.words * 0.4, wanted)
    found, all_of_them = (filled(fill, module, again) for fill in (module.fill_compiled, module.fill_in_python))
    np.testing.assert_array_max_ulp(found.values[:, wanted], all_of_them.values[:, wanted], maxulp=1)
    np.testing.assert_array_equal(found.masks[:, wanted], all_of_them.masks[:, wanted])
    again.wanted = np.array([facts.size])
    with pytest.raises(ValueError, match="differ in size"):
        filled(module.fill_compiled, module, again)
