"""Features of the neighbourhood of each block and of the page as a whole."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.html.tags import tag_ids
from cleancrawl.core.native import compiled
from cleancrawl.core.text.characters import STOP
from cleancrawl.methods.learned.features.declaration import Declaration, Rows, each, in_turns
from cleancrawl.methods.learned.features.facts import CHARS, GOOD, LINKS, NEARLY_ALL, SUMS, WORDS, Facts
from cleancrawl.methods.learned.features.sheet import LOGARITHMS, Bools, Space, count_logarithm, logarithm, ratio

_LONG = 20
"""Good words of a long block."""
_FAR = 60
"""Stands for the distance to a long block where there is none."""
(_H1,) = tag_ids("h1")
_SHIFTS = (1, 2, 3, -1, -2, -3)
_REACH = max(map(abs, _SHIFTS))
_NEIGHBOURS = [f"{'before' if by > 0 else 'after'} {abs(by)}" for by in _SHIFTS]
_WINDOWS = ((3, 3), (6, 6), (12, 12), (4, 0), (0, 4), (10, 0), (0, 10))
"""Blocks before and after."""
_ARTICLE = ("og:type", "article")

FEATURES = Declaration(
    {
        "neighbours": [
            in_turns(
                "words {beside}",
                "good {beside}",
                "link density {beside}",
                "ends with stop {beside}",
                "heading {beside}",
                "same class path {beside}",
                "deeper {beside}",
                beside=_NEIGHBOURS,
            )
        ],
        "windows": [
            each("links within {window}", window=_WINDOWS),
            each("good share within {window}", window=_WINDOWS),
            each("words within {window}", window=_WINDOWS),
            each("good within {window}", window=_WINDOWS),
        ],
        "position": [
            *("place", "good before", "from start", "from end", "since long", "until long", "words since long"),
            *("before all long", "after all long", "past h1", "has h1"),
        ],
        "whole page": [
            *("page blocks", "page words", "page good", "page long", "page good share", "page links"),
            "page is article",
        ],
    }
)
# Where the running sums of each window end, then where they begin.
_EDGES = np.array([*(after + 1 for _, after in _WINDOWS), *(-before for before, _ in _WINDOWS)])[:, None]
_part = compiled("context_features")


def fill_in_python(space: Space, facts: Facts) -> None:
    rows = FEATURES.rows(space)
    is_long = facts.good >= _LONG
    _fill_neighbours(rows, facts)
    _fill_windows(rows, facts)
    _fill_position(rows, facts, is_long)
    _fill_page(rows, facts, int(np.count_nonzero(is_long)))


_GIVEN = {
    "sums": SUMS,
    "shifts": np.array(_SHIFTS),
    "windows": np.array(_WINDOWS),
    "long": _LONG,
    "far": _FAR,
    "stop": STOP,
    "headline": _H1,
    "main": NEARLY_ALL,
    "logarithms": LOGARITHMS,
}
_twin = _part and _part.ContextFeatures(FEATURES.places, **_GIVEN)


def fill_compiled(space: Space, facts: Facts) -> None:
    """The same in one pass over the blocks."""
    assert _twin
    _twin.fill(space.values, facts, _ARTICLE in facts.page.head.meta)


fill = fill_in_python if _part is None else fill_compiled


def _fill_neighbours(rows: Rows, facts: Facts) -> None:
    layout, size = facts.layout, facts.size
    path, depth = layout.class_path.take(layout.container), facts.depth
    # What a block has, and what stands for a block beyond the ends of the page.
    own = {
        "words beside": (count_logarithm(facts.words.astype(np.int64)), 0),
        "good beside": (logarithm(facts.good), 0),
        "link density beside": (facts.link_density, 0.5),
        "ends with stop beside": (facts.last_kind == STOP, 0),
        "heading beside": (facts.heading, 0),
        "same class path beside": (path, -1),
        "deeper beside": (depth, 0),
    }
    padded = np.empty((len(own), size + 2 * _REACH), dtype=np.float32)
    for line, (values, beyond) in zip(padded, own.values(), strict=True):
        line[:_REACH] = line[_REACH + size :] = beyond
        line[_REACH : _REACH + size] = values
    for name, line in zip(own, padded, strict=True):
        around = rows[name]
        for shifted, by in zip(around, _SHIFTS, strict=True):
            shifted[:] = line[_REACH - by : _REACH - by + size]
    same, deeper = rows["same class path beside"], rows["deeper beside"]
    np.equal(same, path.astype(np.float32), out=same)
    deeper -= depth.astype(np.float32)
    np.maximum(deeper, -5, out=deeper)
    np.minimum(deeper, 5, out=deeper)


def _fill_windows(rows: Rows, facts: Facts) -> None:
    # A window that reaches beyond the page ends with it.
    sums = facts.sums[: LINKS + 1].take(facts.index + _EDGES, axis=1, mode="clip")
    held = sums[:, : len(_WINDOWS)] - sums[:, len(_WINDOWS) :]
    rows["links within window"] = ratio(held[LINKS], held[CHARS])
    rows["good share within window"] = ratio(held[GOOD], held[WORDS])
    rows["words within window"] = count_logarithm(held[WORDS].astype(np.int64))
    rows["good within window"] = logarithm(held[GOOD])


def _fill_position(rows: Rows, facts: Facts, is_long: Bools) -> None:
    size, index, words = facts.size, facts.index, facts.sums[WORDS]
    flags = is_long & facts.inside(int(facts.mains[NEARLY_ALL]))
    passed = np.cumsum(flags)
    edges = np.concatenate(([-1], np.flatnonzero(flags), [size]))
    previous, following = edges.take(passed - flags), edges.take(passed + 1)
    is_first, is_last = previous < 0, following >= size
    amounts = {
        "from start": index,
        "from end": size - index,
        "since long": np.where(is_first, _FAR, index - previous),
        "until long": np.where(is_last, _FAR, following - index),
        "words since long": (words[1:] - words.take(previous + 1)).astype(np.int64),
    }
    for name, row in zip(amounts, count_logarithm(np.stack(tuple(amounts.values()))), strict=True):
        rows[name] = row
    rows["place"] = index / size
    rows["good before"] = facts.sums[GOOD, :-1] / facts.total_good
    rows["before all long"] = is_first
    rows["after all long"] = is_last
    headlines = np.flatnonzero(facts.tag == _H1)
    rows["has h1"] = len(headlines) > 0
    past = rows["past h1"]
    past[:] = 0
    if len(headlines):
        first = headlines[0]
        past[:] = count_logarithm(np.abs(index - first))
        past[:first] *= -1


def _fill_page(rows: Rows, facts: Facts, long: int) -> None:
    good, chars, words, links, _ = facts.sums[:, -1].tolist()
    rows["page blocks"], rows["page words"], rows["page good"], rows["page long"] = logarithm(
        [facts.size, words, good, long]
    )
    rows["page good share"] = good / max(words, 1)
    rows["page links"] = links / max(chars, 1)
    rows["page is article"] = _ARTICLE in facts.page.head.meta
