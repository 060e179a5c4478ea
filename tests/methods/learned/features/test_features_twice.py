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
from cleancrawl.methods.learned.features.facts import Facts, page_facts

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


def empty(module: ModuleType, size: int) -> np.ndarray[Any, Any]:
    return np.full((len(module.FEATURES.names), size), np.nan, dtype=np.float32)


def filled(fill: Any, module: ModuleType, facts: Facts) -> np.ndarray[Any, Any]:
    rows = empty(module, facts.size)
    fill(rows, facts)
    return rows


@modules
@pytest.mark.parametrize("html", PAGES, ids=range(len(PAGES)))
def test_pages_of_all_kinds(module: ModuleType, html: str) -> None:
    facts = measured(html)
    assert facts is not None
    # Logarithms of fractions may differ in the last bit where NumPy has its own.
    np.testing.assert_array_max_ulp(
        filled(module.fill_compiled, module, facts), filled(module.fill_in_python, module, facts), maxulp=1
    )


@modules
@settings(deadline=None, max_examples=80)
@given(pieces=st.lists(st.one_of(st.text(max_size=20), st.sampled_from(PIECES))))
def test_any_page(module: ModuleType, pieces: list[str]) -> None:
    facts = measured("".join(pieces))
    if facts is not None:
        np.testing.assert_array_max_ulp(
            filled(module.fill_compiled, module, facts), filled(module.fill_in_python, module, facts), maxulp=1
        )


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
        module.fill_compiled(empty(module, 2)[1:], other)
    one.mains = one.mains + 99
    with pytest.raises(ValueError, match="main container"):
        filled(module.fill_compiled, module, one)


@pytest.mark.parametrize("module", MODULES.values(), ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_declared_feature_is_filled(module: ModuleType) -> None:
    facts = measured(PAGES[4])
    assert facts is not None
    for fill in {module.fill, getattr(module, "fill_in_python", module.fill)}:
        found = np.isfinite(filled(fill, module, facts)).all(axis=1)
        assert [name for name, is_filled in zip(module.FEATURES.names, found, strict=True) if not is_filled] == []


@modules
def test_a_part_refuses_features_that_it_does_not_fill(module: ModuleType) -> None:
    # Of the wording a group is filled in Python alone.
    places, make = getattr(module, "_PLACES", module.FEATURES.places), type(module._twin)
    make(places, **module._GIVEN)
    with pytest.raises(ValueError, match="not filled by the compiled part: mood"):
        make({**places, "mood": 0}, **module._GIVEN)
    for missing in places:
        with pytest.raises(ValueError, match=missing):
            make({name: row for name, row in places.items() if name != missing}, **module._GIVEN)
    with pytest.raises(ValueError, match="a feature has no row"):
        make({**places, "feature_count": 1}, **module._GIVEN)
