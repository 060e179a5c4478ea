"""Features of the words: stop words, markers, title and description, repetition on the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.native import compiled
from cleancrawl.core.segmentation.article_body import LEAST, article_body
from cleancrawl.methods.learned.features.facts import Facts
from cleancrawl.methods.learned.features.markers import marker_names
from cleancrawl.methods.learned.features.sheet import BitRows, Sheet, count_logarithm, named, ratio, shifted

_SHORT = 9
_NAMES = marker_names()
_FOLLOWED = ("related", "newsletter", "comment", "share", "copyright", "author", "tags", "about", "ad")
_FOLLOWED_ROWS = np.array([_NAMES.index(name) for name in _FOLLOWED])
_FOLLOWED_NAMES = (*named("after {}", _FOLLOWED), *named("until {}", _FOLLOWED))
_OWN_NAMES = tuple(name for way in ("says", "short says", "starts with") for name in named(way + " {}", _NAMES))
_AROUND_NAMES = tuple(
    name for way in ("heading says", "before says", "after says") for name in named(way + " {}", _NAMES)
)
_SPREAD = BitRows((len(_NAMES),) * 3)
_SPREAD_ONE = BitRows((len(_NAMES),))
_OPENING = 60
_TITLE = 500
_WORK = 50_000_000
"""Texts times characters that they are looked for in, so that no page takes a time that grows with its square."""
_DESCRIPTIONS = ("description", "og:description")


def add_wording_features(sheet: Sheet, facts: Facts) -> None:
    _marks(sheet, facts)
    _sections(sheet, facts)
    _repetition(sheet, facts)


def _marks(sheet: Sheet, facts: Facts) -> None:
    """The stop words and markers in each block."""
    run_count, anywhere, at_start, stops, hits = facts.said
    sheet.begin("stop words and markers")
    sheet.add("stop share", ratio(stops, run_count))
    sheet.add("stop words", count_logarithm(stops))
    sheet.add("marked share", ratio(hits, run_count))
    short = np.where(facts.words < 2 * _SHORT, anywhere, 0)
    sheet.add_many(_OWN_NAMES, _SPREAD(np.stack((anywhere, short, at_start))))


def _sections(sheet: Sheet, facts: Facts) -> None:
    """What the heading above, the short block just before and all before it in the main container say."""
    anywhere, index = facts.said.anywhere, facts.index
    title = facts.heading | ((facts.words < _SHORT) & (facts.layout.strong_chars > 0.8 * facts.chars))
    above = shifted(np.maximum.accumulate(np.where(title, index, -1)), 1, -1)
    brief = np.where(facts.words < _SHORT, anywhere, 0)
    under = above >= 0
    said = np.where(under, anywhere.take(above), 0)
    sheet.begin("markers around")
    sheet.add_many(_AROUND_NAMES, _SPREAD(np.stack((said, shifted(brief, 1), shifted(brief, -1)))))
    sheet.add("heading linked", np.where(under, facts.link_density.take(above), 0))
    sheet.add("heading distance", count_logarithm(np.where(under, index - above, 99)))
    brief[~facts.inside(int(facts.mains[2]))] = 0
    flags = _SPREAD_ONE(brief[None]).take(_FOLLOWED_ROWS, axis=0)
    total = np.cumsum(flags, axis=1, dtype=np.int64)
    sheet.add_many(_FOLLOWED_NAMES, count_logarithm(np.concatenate((total - flags, total[:, -1:] - total))))


def _repetition(sheet: Sheet, facts: Facts) -> None:
    """What the page says twice: in its title, its description, JSON-LD's body of the article, another block."""
    head = facts.page.head
    texts = [block.text for block in facts.page.blocks]
    sheet.begin("title and repetition")
    # No text that is longer than the title is part of it.
    sheet.add("in title", _held(texts, head.title[:_TITLE], _TITLE + 1))
    known: dict[str, int] = {}
    first = np.fromiter(map(known.setdefault, texts, range(len(texts))), dtype=np.int64, count=len(texts))
    last = np.empty_like(first)
    # Of several values for one place the last remains.
    last[first] = facts.index
    sheet.add("repeats", first < facts.index)
    sheet.add("repeated", last.take(first) > facts.index)
    # What a text begins with is enough to find it again.
    described = " ".join([content for name, content in head.meta if name in _DESCRIPTIONS])
    sheet.add("described", _held(texts, described, _OPENING) if described else 0.0)
    body = article_body(head)
    sheet.add("in body", _held(texts, " ".join(body.split()), _OPENING) if len(body) > LEAST else 0.0)
    sheet.add("has body", len(body) > LEAST)


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
