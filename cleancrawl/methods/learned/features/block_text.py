"""Features of the text of each block itself: METHODS B2 and what marks sentences in any script."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.native import compiled
from cleancrawl.core.text import characters as kind
from cleancrawl.methods.learned.features.facts import Facts
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

_SHARES = np.array(
    [
        *(kind.UPPER, kind.DIGIT, kind.COMMA, kind.STOP, kind.EXCLAIM, kind.COLON, kind.DASH, kind.QUOTE, kind.BRACKET),
        *(kind.BAR, kind.SYMBOL, kind.COPYRIGHT, kind.UNSPACED, kind.DOTS),
    ]
)
_SHARE_NAMES = named("{} characters", (kind.KINDS[k] for k in _SHARES))
_LAST = np.array([kind.STOP, kind.EXCLAIM, kind.COLON, kind.QUOTE])
_LAST_NAMES = named("ends with {}", ("stop", "exclaim", "colon", "quote"))
_FIRST = np.array([kind.UPPER, kind.DIGIT, kind.QUOTE, kind.BAR, kind.LETTER])
_FIRST_NAMES = named("first is {}", ("upper", "digit", "quote", "bar", "lower"))
_AMOUNT_NAMES = (
    *("words", "chars", "good", "links", "images before", "marks before", "commas", "sentences", "sentence length"),
)
_DOTS = ("...", "…", "…]", "...]")
_ENDS_OF_DOTS = np.zeros(len(kind.KINDS), dtype=bool)
_ENDS_OF_DOTS[[kind.STOP, kind.DOTS, kind.BRACKET]] = True


_GROUPS = {
    "text": (
        *_AMOUNT_NAMES,
        *("word length", "link density", "linked", "strong share"),
        *_SHARE_NAMES,
        *("upper per word", "capitals only"),
        *_LAST_NAMES,
        *("ends with dots", "ends with word"),
        *_FIRST_NAMES,
    )
}
_part = compiled("features")


def add_text_features(sheet: Sheet, facts: Facts) -> None:
    fill(sheet.rooms(_GROUPS), facts)


def fill_in_python(rows: Matrix, facts: Facts) -> None:
    counts, chars, words = facts.counts, facts.chars, facts.words
    letters = counts[kind.LETTER] + counts[kind.UPPER] + counts[kind.UNSPACED]
    amounts, lengths, shares, capitals, last, ends, first = parted(
        rows, (len(_AMOUNT_NAMES), 4, len(_SHARES), 2, len(_LAST), 2)
    )
    _fill_amounts(amounts, facts)
    lengths[0] = np.minimum(ratio(letters, facts.said.run_count), 20)
    lengths[1] = facts.link_density
    lengths[2] = facts.link_density > 0.9
    lengths[3] = np.minimum(facts.layout.strong_chars / chars, 1)
    shares[:] = np.sqrt(counts.take(_SHARES, axis=0) / chars)
    capitals[0] = np.minimum(ratio(counts[kind.UPPER], words), 2)
    capitals[1] = counts[kind.UPPER] > 0.7 * np.maximum(letters, 1)
    last[:] = facts.last_kind == _LAST[:, None]
    ends[0] = _with_dots(facts)
    ends[1] = kind.word_kinds().take(facts.last_kind)
    first[:] = facts.first_kind == _FIRST[:, None]


def fill_compiled(rows: Matrix, facts: Facts) -> None:
    """The same in one pass over the blocks."""
    assert _part is not None
    _part.fill_text(rows, facts, _with_dots(facts).view(np.uint8), _SHARES, _LAST, _FIRST, LOGARITHMS)


fill = fill_in_python if _part is None else fill_compiled


def _fill_amounts(rows: Matrix, facts: Facts) -> None:
    layout, counts, words = facts.layout, facts.counts, facts.words
    sentences = counts[kind.STOP] + counts[kind.EXCLAIM]
    whole = (words, facts.chars, layout.links, layout.images, layout.marks, counts[kind.COMMA], sentences)
    logarithms = count_logarithm(np.stack(whole, dtype=np.int64, casting="unsafe"))
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
