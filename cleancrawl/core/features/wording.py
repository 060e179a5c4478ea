"""Features of the words: stop words, markers, title and description, repetition on the page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from cleancrawl.core.features.facts import Facts
from cleancrawl.core.features.markers import STOP_BIT, marker_names, word_marks
from cleancrawl.core.features.sheet import Bools, Ints, Sheet, bits, named, ratio, shifted
from cleancrawl.core.text import plain_words

_FIRST_WORDS = 4
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


@dataclass(slots=True, eq=False)
class Wording:
    """Bits of the markers in each block, and which words are no stop words."""

    anywhere: Ints
    telling: Bools


def add_wording_features(sheet: Sheet, facts: Facts) -> None:
    wording = _marks(sheet, facts)
    _sections(sheet, facts, wording)
    _repetition(sheet, facts)
    _shingles(sheet, facts, wording)


def _marks(sheet: Sheet, facts: Facts) -> Wording:
    size, owner = facts.size, facts.owner
    marks = word_marks(facts.runs, facts.page.language)
    place = np.arange(len(marks)) - (np.cumsum(facts.run_count) - facts.run_count)[owner]
    is_stop = marks >> STOP_BIT & 1 > 0
    marks &= (1 << STOP_BIT) - 1
    anywhere, at_start = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    marked = np.flatnonzero(marks)
    np.bitwise_or.at(anywhere, owner[marked], marks[marked])
    early = marked[place[marked] < _FIRST_WORDS]
    np.bitwise_or.at(at_start, owner[early], marks[early])
    stops = np.bincount(owner[is_stop], minlength=size)
    hits = np.bincount(owner[marked], minlength=size)
    sheet.begin("stop words and markers")
    sheet.add("stop share", ratio(stops, facts.run_count))
    sheet.add("stop words", np.log1p(stops))
    sheet.add("marked share", ratio(hits, facts.run_count))
    short = np.where(facts.words < 2 * _SHORT, anywhere, 0)
    sheet.add_many(_OWN_NAMES, np.concatenate([bits(masks, len(_NAMES)) for masks in (anywhere, short, at_start)]))
    return Wording(anywhere, ~is_stop)


def _sections(sheet: Sheet, facts: Facts, wording: Wording) -> None:
    """What the heading above, the short block just before and all before it in the main container say."""
    index = np.arange(facts.size)
    title = facts.heading | ((facts.words < _SHORT) & (facts.layout.strong_chars > 0.8 * facts.chars))
    above = shifted(np.maximum.accumulate(np.where(title, index, -1)), 1, -1)
    brief = np.where(facts.words < _SHORT, wording.anywhere, 0)
    said = np.where(above >= 0, wording.anywhere[above], 0)
    around = (said, shifted(brief, 1), shifted(brief, -1))
    sheet.begin("markers around")
    sheet.add_many(_AROUND_NAMES, np.concatenate([bits(masks, len(_NAMES)) for masks in around]))
    sheet.add("heading linked", np.where(above >= 0, facts.link_density[above], 0))
    sheet.add("heading distance", np.log1p(np.where(above >= 0, index - above, 99)))
    flags = bits(np.where(facts.inside(int(facts.mains[2])), brief, 0), len(_NAMES))[_FOLLOWED_ROWS]
    total = np.cumsum(flags, axis=1, dtype=np.int64)
    sheet.add_many(_FOLLOWED_NAMES, np.log1p(np.concatenate((total - flags, total[:, -1:] - total))))


def _repetition(sheet: Sheet, facts: Facts) -> None:
    size, runs = facts.size, facts.runs
    head = facts.page.head
    owner = facts.owner
    wanted = set(plain_words(head.title))
    in_title = np.bincount(owner[[index for index, run in enumerate(runs) if run in wanted]], minlength=size)
    sheet.begin("title and repetition")
    sheet.add("title words", ratio(in_title, facts.run_count))
    sheet.add("share of title", np.minimum(ratio(in_title, len(wanted)), 1))
    texts = [block.text for block in facts.page.blocks]
    first: dict[str, int] = {}
    earlier = [first.setdefault(text, index) < index for index, text in enumerate(texts)]
    last = {text: index for index, text in enumerate(texts)}
    sheet.add("repeats", earlier)
    sheet.add("repeated", [last[text] > index for index, text in enumerate(texts)])


def _shingles(sheet: Sheet, facts: Facts, wording: Wording) -> None:
    """Three words in a row that occurred before, that the description has, that JSON-LD gives as the article's body."""
    size = facts.size
    head = facts.page.head
    words = word_hashes(facts.runs)
    _topic(sheet, facts, words, wording.telling)
    hashes = shingle_hashes(words)
    whole = facts.owner[: len(hashes)] == facts.owner[2:]
    hashes, held = hashes[whole], facts.owner[: len(hashes)][whole]
    total = np.bincount(held, minlength=size)
    seen = np.zeros(size, dtype=np.int64)
    if len(hashes):
        order = np.argsort(hashes, kind="stable")
        ranked, blocks = hashes[order], held[order]
        again = np.flatnonzero(ranked[1:] == ranked[:-1]) + 1
        seen = np.bincount(blocks[again[blocks[again] > blocks[again - 1]]], minlength=size)
    sheet.begin("shingles, description, JSON-LD")
    sheet.add("seen before", ratio(seen, total))
    described = [content for name, content in head.meta if name in ("description", "og:description")]
    sheet.add("described", ratio(_matches(hashes, held, size, " ".join(described)), total))
    body = article_body(head.json_ld)
    sheet.add("in body", ratio(_matches(hashes, held, size, body), total) if len(body) > _LEAST_BODY else 0.0)
    sheet.add("has body", len(body) > _LEAST_BODY)


def _topic(sheet: Sheet, facts: Facts, words: Ints, telling: Bools) -> None:
    """The share of a block's words that other good text of the main container has: teasers are about other things."""
    size, owner = facts.size, facts.owner
    in_main = (facts.inside(facts.mains[1]) & (facts.good > 0))[owner]
    _, group = np.unique(words, return_inverse=True)
    uses = np.bincount(group[in_main], minlength=len(words) + 1)
    shared = telling & (uses[group] - in_main > 0)
    total = np.bincount(owner[telling], minlength=size)
    sheet.begin("topic")
    sheet.add("topic share", ratio(np.bincount(owner[shared], minlength=size), total))
    sheet.add("telling words", np.log1p(total))


def word_hashes(runs: list[str]) -> Ints:
    """A number for each word. Built-in hashes differ from run to run; only their equality is used."""
    return np.fromiter(map(hash, runs), dtype=np.int64, count=len(runs))


def shingle_hashes(hashes: Ints) -> Ints:
    """A number for each three words in a row."""
    if len(hashes) < 3:
        return hashes[:0]
    shingles: Ints = hashes[:-2] * 3 + hashes[1:-1] * 5 + hashes[2:] * 7
    return shingles


def _matches(hashes: Ints, held: Ints, size: int, text: str) -> Ints:
    if not text:
        return np.zeros(size, dtype=np.int64)
    wanted = shingle_hashes(word_hashes(plain_words(text)))
    return np.bincount(held[np.isin(hashes, wanted)], minlength=size)


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
