"""Features of the text of each block itself: METHODS B2 and what marks sentences in any script."""

from __future__ import annotations

import numpy as np

from cleancrawl.core import characters as kind
from cleancrawl.core.features.facts import Facts
from cleancrawl.core.features.sheet import Bools, Sheet, count_logarithm, logarithm, named, ratio

_SHARES = np.array(
    [
        *(kind.UPPER, kind.DIGIT, kind.COMMA, kind.STOP, kind.EXCLAIM, kind.COLON, kind.DASH, kind.QUOTE, kind.BRACKET),
        *(kind.BAR, kind.SYMBOL, kind.COPYRIGHT, kind.UNSPACED, kind.DOTS),
    ]
)
_SHARE_NAMES = named("{} characters", (kind.KINDS[k] for k in _SHARES))
_LAST = np.array([kind.STOP, kind.EXCLAIM, kind.COLON, kind.QUOTE])[:, None]
_LAST_NAMES = named("ends with {}", ("stop", "exclaim", "colon", "quote"))
_FIRST = np.array([kind.UPPER, kind.DIGIT, kind.QUOTE, kind.BAR, kind.LETTER])[:, None]
_FIRST_NAMES = named("first is {}", ("upper", "digit", "quote", "bar", "lower"))
_AMOUNT_NAMES = (
    *("words", "chars", "good", "links", "images before", "marks before", "commas", "sentences", "sentence length"),
)
_DOTS = ("...", "…", "…]", "...]")
_ENDS_OF_DOTS = np.zeros(len(kind.KINDS), dtype=bool)
_ENDS_OF_DOTS[[kind.STOP, kind.DOTS, kind.BRACKET]] = True


def add_text_features(sheet: Sheet, facts: Facts) -> None:
    counts, chars, words = facts.counts, facts.chars, facts.words
    letters = counts[kind.LETTER] + counts[kind.UPPER] + counts[kind.UNSPACED]
    sheet.begin("text")
    _add_amounts(sheet, facts)
    sheet.add("word length", np.minimum(ratio(letters, facts.said.run_count), 20))
    sheet.add("link density", facts.link_density)
    sheet.add("linked", facts.link_density > 0.9)
    sheet.add("strong share", np.minimum(facts.layout.strong_chars / chars, 1))
    shares = counts.take(_SHARES, axis=0)
    shares /= chars
    sheet.add_many(_SHARE_NAMES, np.sqrt(shares, out=shares))
    sheet.add("upper per word", np.minimum(ratio(counts[kind.UPPER], words), 2))
    sheet.add("capitals only", counts[kind.UPPER] > 0.7 * np.maximum(letters, 1))
    sheet.add_many(_LAST_NAMES, facts.last_kind == _LAST)
    sheet.add("ends with dots", _with_dots(facts))
    sheet.add("ends with word", kind.word_kinds().take(facts.last_kind))
    sheet.add_many(_FIRST_NAMES, facts.first_kind == _FIRST)


def _add_amounts(sheet: Sheet, facts: Facts) -> None:
    layout, counts, words = facts.layout, facts.counts, facts.words
    sentences = counts[kind.STOP] + counts[kind.EXCLAIM]
    whole = (words, facts.chars, layout.links, layout.images, layout.marks, counts[kind.COMMA], sentences)
    logarithms = count_logarithm(np.stack(whole, dtype=np.int64, casting="unsafe"))
    rows = sheet.room(_AMOUNT_NAMES)
    rows[:2] = logarithms[:2]
    rows[2] = logarithm(facts.good)
    rows[3:8] = logarithms[2:]
    rows[8] = logarithm(ratio(words, sentences))


def _with_dots(facts: Facts) -> Bools:
    """Which texts break off; only those that end with such a character are looked at."""
    found = _ENDS_OF_DOTS.take(facts.last_kind)
    blocks = facts.page.blocks
    for index in np.flatnonzero(found).tolist():
        found[index] = blocks[index].text.endswith(_DOTS)
    return found
