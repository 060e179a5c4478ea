"""Features of the neighbourhood of each block and of the page as a whole."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.characters import STOP
from cleancrawl.core.features.facts import CHARS, GOOD, LINKS, WORDS, Facts
from cleancrawl.core.features.sheet import Sheet, logarithm, named, ratio, shifted
from cleancrawl.core.segment.tags import tag_ids

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
_BEFORE, _AFTER = (np.array(side)[:, None] for side in zip(*_WINDOWS, strict=True))


def add_context_features(sheet: Sheet, facts: Facts) -> None:
    _neighbours(sheet, facts)
    _windows(sheet, facts)
    _position(sheet, facts)
    _whole_page(sheet, facts)


def _neighbours(sheet: Sheet, facts: Facts) -> None:
    layout, size = facts.layout, facts.size
    own = np.zeros((7, size + 2 * _REACH))
    own[2] = 0.5
    own[5] = -1
    middle = own[:, _REACH : _REACH + size]
    middle[:2] = logarithm((facts.words, facts.good))
    middle[2] = facts.link_density
    middle[3] = facts.last_kind == STOP
    middle[4] = facts.heading
    middle[5] = layout.class_path[layout.container]
    middle[6] = layout.depth[layout.container]
    around = np.stack([own[:, _REACH - by : _REACH - by + size] for by in _SHIFTS])
    around[:, 5] = around[:, 5] == middle[5]
    around[:, 6] = np.clip(around[:, 6] - middle[6], -5, 5)
    sheet.begin("neighbours")
    sheet.add_many(_NEIGHBOUR_NAMES, around.reshape(-1, size))


def _windows(sheet: Sheet, facts: Facts) -> None:
    index = np.arange(facts.size)
    end, first = np.minimum(index + _AFTER + 1, facts.size), np.maximum(index - _BEFORE, 0)
    held = facts.sums[:, end] - facts.sums[:, first]
    shares = (ratio(held[LINKS], held[CHARS]), ratio(held[GOOD], held[WORDS]))
    sheet.begin("windows")
    sheet.add_many(_WINDOW_NAMES, np.concatenate((*shares, logarithm(held[WORDS]), logarithm(held[GOOD]))))


def _position(sheet: Sheet, facts: Facts) -> None:
    size = facts.size
    index = np.arange(size)
    long = (facts.good >= _LONG) & facts.inside(int(facts.mains[2]))
    previous = shifted(np.maximum.accumulate(np.where(long, index, -1)), 1, -1)
    following = shifted(np.minimum.accumulate(np.where(long, index, size)[::-1])[::-1], -1, size)
    words = facts.sums[WORDS, 1:]
    sheet.begin("position")
    sheet.add("place", index / size)
    sheet.add("good before", facts.sums[GOOD, :-1] / facts.total_good)
    since, until = np.where(previous >= 0, index - previous, 60), np.where(following < size, following - index, 60)
    since_words = np.where(previous >= 0, words - words[previous], words)
    names = ("from start", "from end", "since long", "until long", "words since long")
    sheet.add_many(names, logarithm(np.stack((index, size - index, since, until, since_words))))
    sheet.add("before all long", previous < 0)
    sheet.add("after all long", following >= size)
    h1 = np.flatnonzero(facts.layout.tag[facts.layout.container] == _H1)
    sheet.add("past h1", np.sign(index - h1[0]) * logarithm(np.abs(index - h1[0])) if len(h1) else 0.0)
    sheet.add("has h1", len(h1) > 0)


def _whole_page(sheet: Sheet, facts: Facts) -> None:
    good, chars, words, links, _ = facts.sums[:, -1]
    sheet.begin("whole page")
    names = ("page blocks", "page words", "page good", "page long")
    sheet.add_many(names, logarithm([facts.size, words, good, (facts.good >= _LONG).sum()])[:, None])
    sheet.add("page good share", good / max(words, 1))
    sheet.add("page links", links / max(chars, 1))
    sheet.add("page is article", any(pair == ("og:type", "article") for pair in facts.page.head.meta))
