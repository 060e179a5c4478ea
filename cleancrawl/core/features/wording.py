"""Features of the words: stop words, markers, title and description, repetition on the page."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.features.facts import Facts
from cleancrawl.core.features.markers import marker_names
from cleancrawl.core.features.sheet import Sheet, bits, logarithm, named, ratio, shifted

_SHORT = 9
_NAMES = marker_names()
_FOLLOWED = ("related", "newsletter", "comment", "share", "copyright", "author", "tags", "about", "ad")
_FOLLOWED_ROWS = [_NAMES.index(name) for name in _FOLLOWED]
_FOLLOWED_NAMES = (*named("after {}", _FOLLOWED), *named("until {}", _FOLLOWED))
_OWN_NAMES = tuple(name for way in ("says", "short says", "starts with") for name in named(way + " {}", _NAMES))
_AROUND_NAMES = tuple(
    name for way in ("heading says", "before says", "after says") for name in named(way + " {}", _NAMES)
)
_LEAST_BODY = 400
_OPENING = 60
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
    sheet.add("stop words", logarithm(stops))
    sheet.add("marked share", ratio(hits, run_count))
    short = np.where(facts.words < 2 * _SHORT, anywhere, 0)
    sheet.add_many(_OWN_NAMES, np.concatenate([bits(masks, len(_NAMES)) for masks in (anywhere, short, at_start)]))


def _sections(sheet: Sheet, facts: Facts) -> None:
    """What the heading above, the short block just before and all before it in the main container say."""
    anywhere = facts.said.anywhere
    index = np.arange(facts.size)
    title = facts.heading | ((facts.words < _SHORT) & (facts.layout.strong_chars > 0.8 * facts.chars))
    above = shifted(np.maximum.accumulate(np.where(title, index, -1)), 1, -1)
    brief = np.where(facts.words < _SHORT, anywhere, 0)
    said = np.where(above >= 0, anywhere[above], 0)
    around = (said, shifted(brief, 1), shifted(brief, -1))
    sheet.begin("markers around")
    sheet.add_many(_AROUND_NAMES, np.concatenate([bits(masks, len(_NAMES)) for masks in around]))
    sheet.add("heading linked", np.where(above >= 0, facts.link_density[above], 0))
    sheet.add("heading distance", logarithm(np.where(above >= 0, index - above, 99)))
    flags = bits(np.where(facts.inside(int(facts.mains[2])), brief, 0), len(_NAMES))[_FOLLOWED_ROWS]
    total = np.cumsum(flags, axis=1, dtype=np.int64)
    sheet.add_many(_FOLLOWED_NAMES, logarithm(np.concatenate((total - flags, total[:, -1:] - total))))


def _repetition(sheet: Sheet, facts: Facts) -> None:
    """What the page says twice: in its title, its description, JSON-LD's body of the article, another block."""
    head = facts.page.head
    texts = [block.text for block in facts.page.blocks]
    last = {text: index for index, text in enumerate(texts)}
    repeats: list[bool] | float = 0.0
    repeated: list[bool] | float = 0.0
    if len(last) < len(texts):
        first = {text: -index for index, text in enumerate(reversed(texts), 1 - len(texts))}
        repeats = [first[text] < index for index, text in enumerate(texts)]
        repeated = [last[text] > index for index, text in enumerate(texts)]
    sheet.begin("title and repetition")
    sheet.add("in title", _found(texts, head.title))
    sheet.add("repeats", repeats)
    sheet.add("repeated", repeated)
    # What a text begins with is enough to find it again.
    openings = [text[:_OPENING] for text in texts]
    described = " ".join([content for name, content in head.meta if name in _DESCRIPTIONS])
    sheet.add("described", _found(openings, described) if described else 0.0)
    body = article_body(head.json_ld)
    sheet.add("in body", _found(openings, " ".join(body.split())) if len(body) > _LEAST_BODY else 0.0)
    sheet.add("has body", len(body) > _LEAST_BODY)


def _found(texts: list[str], wanted: str) -> NDArray[np.uint8]:
    """Whether each text is part of another."""
    return np.frombuffer(bytes(map(wanted.__contains__, texts)), dtype=np.uint8)


def article_body(sources: list[str]) -> str:
    """The longest ``articleBody`` of a page's JSON-LD; empty where there is none.

    >>> article_body(['{"@graph": [{"articleBody": "One two"}]}', "no json"])
    'One two'
    """
    best = ""
    for source in sources:
        if "articleBody" not in source:
            continue
        try:
            pending: list[Any] = [json.loads(source, strict=False)]
        except (ValueError, RecursionError):
            continue
        while pending:
            value = pending.pop()
            if isinstance(value, dict):
                body = value.get("articleBody")
                best = body if isinstance(body, str) and len(body) > len(best) else best
                pending.extend(value.values())
            elif isinstance(value, list):
                pending.extend(value)
    return best
