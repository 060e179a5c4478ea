"""Features of the text of each block itself: METHODS B2 and what marks sentences in any script."""

from __future__ import annotations

import numpy as np

from cleancrawl.core import characters as kind
from cleancrawl.core.features.facts import Facts
from cleancrawl.core.features.sheet import Sheet, logarithm, named, ratio

_SHARES = (
    *(kind.UPPER, kind.DIGIT, kind.COMMA, kind.STOP, kind.EXCLAIM, kind.COLON, kind.DASH, kind.QUOTE, kind.BRACKET),
    *(kind.BAR, kind.SYMBOL, kind.COPYRIGHT, kind.UNSPACED, kind.DOTS),
)
_SHARE_NAMES = named("{} characters", (kind.KINDS[k] for k in _SHARES))
_LAST = np.array([kind.STOP, kind.EXCLAIM, kind.COLON, kind.QUOTE])[:, None]
_LAST_NAMES = named("ends with {}", ("stop", "exclaim", "colon", "quote"))
_FIRST = np.array([kind.UPPER, kind.DIGIT, kind.QUOTE, kind.BAR, kind.LETTER])[:, None]
_FIRST_NAMES = named("first is {}", ("upper", "digit", "quote", "bar", "lower"))
_AMOUNTS = (
    *("words", "chars", "good", "links", "images before", "marks before", "commas", "sentences", "sentence length"),
)


def add_text_features(sheet: Sheet, facts: Facts) -> None:
    layout, counts, chars, words = facts.layout, facts.counts, facts.chars, facts.words
    letters = counts[kind.LETTER] + counts[kind.UPPER] + counts[kind.UNSPACED]
    sentences = counts[kind.STOP] + counts[kind.EXCLAIM]
    sheet.begin("text")
    amounts = (words, chars, facts.good, layout.links, layout.images, layout.marks, counts[kind.COMMA], sentences)
    sheet.add_many(_AMOUNTS, logarithm(np.stack([*amounts, ratio(words, sentences)])))
    sheet.add("word length", np.minimum(ratio(letters, facts.run_count), 20))
    sheet.add("link density", facts.link_density)
    sheet.add("linked", facts.link_density > 0.9)
    sheet.add("strong share", np.minimum(layout.strong_chars / chars, 1))
    sheet.add_many(_SHARE_NAMES, np.sqrt(counts[list(_SHARES)] / chars))
    sheet.add("upper per word", np.minimum(ratio(counts[kind.UPPER], words), 2))
    sheet.add("capitals only", counts[kind.UPPER] > 0.7 * np.maximum(letters, 1))
    sheet.add_many(_LAST_NAMES, facts.last_kind == _LAST)
    dots = [block.text.endswith(("...", "…", "…]", "...]")) for block in facts.page.blocks]
    sheet.add("ends with dots", dots)
    sheet.add("ends with word", kind.word_kinds()[facts.last_kind])
    sheet.add_many(_FIRST_NAMES, facts.first_kind == _FIRST)
