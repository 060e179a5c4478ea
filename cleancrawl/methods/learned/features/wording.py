"""Features of the words: stop words, markers, title and description, repetition on the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.native import compiled
from cleancrawl.core.segmentation.article_body import LEAST, article_body
from cleancrawl.methods.learned.features.declaration import Declaration, Rows, each, flags
from cleancrawl.methods.learned.features.facts import NEARLY_ALL, Facts
from cleancrawl.methods.learned.features.markers import marker_names
from cleancrawl.methods.learned.features.sheet import (
    LOGARITHMS,
    Space,
    count_logarithm,
    ratio,
    shifted,
)

_SHORT = 9
_FAR = 99
"""How far a heading is away that there is none of."""
_KINDS = marker_names()
_FOLLOWED = ("related", "newsletter", "comment", "share", "copyright", "author", "tags", "about", "ad")

FEATURES = Declaration(
    {
        "stop words and markers": [
            *("stop share", "stop words", "marked share"),
            flags("says {kind}", kind=_KINDS),
            flags("short says {kind}", kind=_KINDS),
            flags("starts with {kind}", kind=_KINDS),
        ],
        "markers around": [
            flags("heading says {kind}", kind=_KINDS),
            flags("before says {kind}", kind=_KINDS),
            flags("after says {kind}", kind=_KINDS),
            *("heading linked", "heading distance"),
            each("after {followed}", followed=_FOLLOWED),
            each("until {followed}", followed=_FOLLOWED),
        ],
        "title and repetition": ["in title", "repeats", "repeated", "described", "in body", "has body"],
    }
)
_FOLLOWED_BITS = np.array([_KINDS.index(name) for name in _FOLLOWED])
_OPENING = 60
_TITLE = 500
_WORK = 50_000_000
"""Texts times characters that they are looked for in, so that no page takes a time that grows with its square."""
_DESCRIPTIONS = ("description", "og:description")


def fill_in_python(space: Space, facts: Facts) -> None:
    fill_marks_in_python(space, facts)
    _fill_repetition(FEATURES.rows(space), facts)


def fill_marks_in_python(space: Space, facts: Facts) -> None:
    """All but title and repetition."""
    rows = FEATURES.rows(space)
    _fill_marks(rows, facts)
    _fill_sections(rows, facts)


_GIVEN = {
    "followed": _FOLLOWED_BITS,
    "short": _SHORT,
    "main": NEARLY_ALL,
    "far": _FAR,
    "logarithms": LOGARITHMS,
}
_IN_PYTHON = frozenset(name.replace(" ", "_") for name in FEATURES.groups["title and repetition"])
_marks_part = compiled("wording_features")
_PLACES = {name: place for name, place in FEATURES.places.items() if name not in _IN_PYTHON}
_twin = _marks_part and _marks_part.WordingFeatures(_PLACES, FEATURES.mask_places, **_GIVEN)


def fill_compiled(space: Space, facts: Facts) -> None:
    """The same, with stop words and markers in one pass over the blocks."""
    assert _twin
    _twin.fill(space.values, space.masks, facts)
    _fill_repetition(FEATURES.rows(space), facts)


fill = fill_in_python if _marks_part is None else fill_compiled


def _fill_marks(rows: Rows, facts: Facts) -> None:
    """The stop words and markers in each block."""
    run_count, anywhere, at_start, stops, hits = facts.said
    rows["stop share"] = ratio(stops, run_count)
    rows["stop words"] = count_logarithm(stops)
    rows["marked share"] = ratio(hits, run_count)
    rows["says kind"] = anywhere
    rows["short says kind"] = np.where(facts.words < 2 * _SHORT, anywhere, 0)
    rows["starts with kind"] = at_start


def _fill_sections(rows: Rows, facts: Facts) -> None:
    """What the heading above, the short block just before and all before it in the main container say."""
    anywhere, index = facts.said.anywhere, facts.index
    title = facts.heading | ((facts.words < _SHORT) & (facts.layout.strong_chars > 0.8 * facts.chars))
    above = shifted(np.maximum.accumulate(np.where(title, index, -1)), 1, -1)
    brief = np.where(facts.words < _SHORT, anywhere, 0)
    under = above >= 0
    rows["heading says kind"] = np.where(under, anywhere.take(above), 0)
    rows["before says kind"], rows["after says kind"] = shifted(brief, 1), shifted(brief, -1)
    rows["heading linked"] = np.where(under, facts.link_density.take(above), 0)
    rows["heading distance"] = count_logarithm(np.where(under, index - above, _FAR))
    brief[~facts.inside(int(facts.mains[NEARLY_ALL]))] = 0
    told = brief >> _FOLLOWED_BITS[:, None] & 1
    total = np.cumsum(told, axis=1)
    rows["after followed"] = count_logarithm(total - told)
    rows["until followed"] = count_logarithm(total[:, -1:] - total)


def _fill_repetition(rows: Rows, facts: Facts) -> None:
    """What the page says twice: in its title, its description, JSON-LD's body of the article, another block."""
    head = facts.page.head
    texts = facts.texts
    # No text that is longer than the title is part of it.
    rows["in title"] = _held(texts, head.title[:_TITLE], _TITLE + 1)
    known: dict[str, int] = {}
    first = np.fromiter(map(known.setdefault, texts, range(len(texts))), dtype=np.int64, count=len(texts))
    last = np.empty_like(first)
    # Of several values for one place the last remains.
    last[first] = facts.index
    rows["repeats"] = first < facts.index
    rows["repeated"] = last.take(first) > facts.index
    # What a text begins with is enough to find it again.
    described = " ".join([content for name, content in head.meta if name in _DESCRIPTIONS])
    rows["described"] = _held(texts, described, _OPENING) if described else 0.0
    body = article_body(head)
    rows["in body"] = _held(texts, " ".join(body.split()), _OPENING) if len(body) > LEAST else 0.0
    rows["has body"] = len(body) > LEAST


def _held(texts: list[str], wanted: str, size: int) -> NDArray[np.uint8]:
    return np.frombuffer(found(texts, wanted[: _WORK // len(texts)], size), dtype=np.uint8)


def found_in_python(texts: Sequence[str], wanted: str, size: int) -> bytearray:
    """For each text a byte: whether its first ``size`` characters are part of ``wanted``.

    >>> list(found_in_python(["a storm at sea", "a stop"], "after a storm", 7))
    [1, 0]
    """
    return bytearray(map(wanted.__contains__, [text[:size] for text in texts]))


_part = compiled("repetition")
found = found_in_python if _part is None else _part.found
