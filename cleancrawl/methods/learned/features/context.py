"""Features of the neighbourhood of each block and of the page as a whole."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.html.tags import tag_ids
from cleancrawl.core.native import compiled
from cleancrawl.core.text.characters import STOP
from cleancrawl.methods.learned.features.facts import CHARS, GOOD, LINKS, WORDS, Facts
from cleancrawl.methods.learned.features.sheet import (
    LOGARITHMS,
    Bools,
    Matrix,
    Sheet,
    count_logarithm,
    logarithm,
    named,
    parted,
    ratio,
)

_LONG = 20
_REACH = 3
(_H1,) = tag_ids("h1")
_SHIFTS = (1, 2, 3, -1, -2, -3)
_MEASURES = ("words", "good", "link density", "ends with stop", "heading", "same class path", "deeper")
_NEIGHBOUR_NAMES = tuple(
    name for by in _SHIFTS for name in named(f"{{}} {'before' if by > 0 else 'after'} {abs(by)}", _MEASURES)
)
_WINDOWS = ((3, 3), (6, 6), (12, 12), (4, 0), (0, 4), (10, 0), (0, 10))
_WINDOW_NAMES = tuple(
    name for family in ("links", "good share", "words", "good") for name in named(family + " within {}", _WINDOWS)
)
# Where the running sums of each window end, then where they begin.
_EDGES = np.array([*(after + 1 for _, after in _WINDOWS), *(-before for before, _ in _WINDOWS)])[:, None]
_POSITION_NAMES = (
    *("place", "good before", "from start", "from end", "since long", "until long", "words since long"),
    *("before all long", "after all long", "past h1", "has h1"),
)
_PAGE_NAMES = (
    *("page blocks", "page words", "page good", "page long", "page good share", "page links", "page is article"),
)
_GROUPS = {
    "neighbours": _NEIGHBOUR_NAMES,
    "windows": _WINDOW_NAMES,
    "position": _POSITION_NAMES,
    "whole page": _PAGE_NAMES,
}
_ARTICLE = ("og:type", "article")
_FAR = 60


_part = compiled("features")


def add_context_features(sheet: Sheet, facts: Facts) -> None:
    fill(sheet.rooms(_GROUPS), facts)


def fill_in_python(rows: Matrix, facts: Facts) -> None:
    neighbours, windows, position, page = parted(rows, map(len, list(_GROUPS.values())[:-1]))
    is_long = facts.good >= _LONG
    _fill_neighbours(neighbours, facts)
    _fill_windows(windows, facts)
    _fill_position(position, facts, is_long)
    _fill_page(page, facts, int(np.count_nonzero(is_long)))


def fill_compiled(rows: Matrix, facts: Facts) -> None:
    """The same in one pass over the blocks."""
    assert _part is not None
    _part.fill_context(rows, facts, _ARTICLE in facts.page.head.meta, STOP, _H1, LOGARITHMS)


fill = fill_in_python if _part is None else fill_compiled


def _fill_neighbours(rows: Matrix, facts: Facts) -> None:
    layout, size = facts.layout, facts.size
    own = np.zeros((len(_MEASURES), size + 2 * _REACH), dtype=np.float32)
    own[2] = 0.5
    own[5] = -1
    middle = own[:, _REACH : _REACH + size]
    middle[0] = count_logarithm(facts.words.astype(np.int64))
    middle[1] = logarithm(facts.good)
    middle[2] = facts.link_density
    middle[3] = facts.last_kind == STOP
    middle[4] = facts.heading
    middle[5] = layout.class_path.take(layout.container)
    middle[6] = facts.depth
    around = rows.reshape(len(_SHIFTS), len(_MEASURES), size)
    for shifted, by in zip(around, _SHIFTS, strict=True):
        shifted[:] = own[:, _REACH - by : _REACH - by + size]
    around[:, 5] = around[:, 5] == middle[5]
    deeper = around[:, 6]
    deeper -= middle[6]
    np.maximum(deeper, -5, out=deeper)
    np.minimum(deeper, 5, out=deeper)


def _fill_windows(rows: Matrix, facts: Facts) -> None:
    # A window that reaches beyond the page ends with it.
    sums = facts.sums[: LINKS + 1].take(facts.index + _EDGES, axis=1, mode="clip")
    held = sums[:, : len(_WINDOWS)] - sums[:, len(_WINDOWS) :]
    links, good_share, words, good = rows.reshape(4, len(_WINDOWS), facts.size)
    links[:] = ratio(held[LINKS], held[CHARS])
    good_share[:] = ratio(held[GOOD], held[WORDS])
    words[:] = count_logarithm(held[WORDS].astype(np.int64))
    good[:] = logarithm(held[GOOD])


def _fill_position(rows: Matrix, facts: Facts, is_long: Bools) -> None:
    size, index, words = facts.size, facts.index, facts.sums[WORDS]
    flags = is_long & facts.inside(int(facts.mains[2]))
    passed = np.cumsum(flags)
    edges = np.concatenate(([-1], np.flatnonzero(flags), [size]))
    previous, following = edges.take(passed - flags), edges.take(passed + 1)
    is_first, is_last = previous < 0, following >= size
    amounts = np.empty((5, size), dtype=np.int64)
    from_start, from_end, since, until, since_words = amounts
    from_start[:] = index
    np.subtract(size, index, out=from_end)
    np.subtract(index, previous, out=since)
    since[is_first] = _FAR
    np.subtract(following, index, out=until)
    until[is_last] = _FAR
    since_words[:] = words[1:] - words.take(previous + 1)
    rows[0] = index / size
    rows[1] = facts.sums[GOOD, :-1] / facts.total_good
    rows[2:7] = count_logarithm(amounts)
    rows[7] = is_first
    rows[8] = is_last
    headlines = np.flatnonzero(facts.tag == _H1)
    rows[9:] = len(headlines) > 0
    if len(headlines):
        first = headlines[0]
        rows[9] = count_logarithm(np.abs(index - first))
        rows[9, :first] *= -1


def _fill_page(rows: Matrix, facts: Facts, long: int) -> None:
    good, chars, words, links, _ = facts.sums[:, -1].tolist()
    logarithms = logarithm([facts.size, words, good, long]).tolist()
    shares = (good / max(words, 1), links / max(chars, 1))
    rows[:] = np.array([*logarithms, *shares, _ARTICLE in facts.page.head.meta])[:, None]
