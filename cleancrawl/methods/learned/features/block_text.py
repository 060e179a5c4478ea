"""Features of the text of each block itself: METHODS B2 and what marks sentences in any script."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.native import compiled
from cleancrawl.core.text import characters as kind
from cleancrawl.methods.learned.features.declaration import Declaration, each
from cleancrawl.methods.learned.features.facts import Facts
from cleancrawl.methods.learned.features.sheet import LOGARITHMS, Bools, Ints, Space, count_logarithm, logarithm, ratio

_SHARES = (
    *("upper", "digit", "comma", "stop", "exclaim", "colon", "dash", "quote", "bracket", "bar", "symbol", "copyright"),
    *("unspaced", "ellipsis"),
)
_LAST = ("stop", "exclaim", "colon", "quote")
_FIRST = {"upper": "upper", "digit": "digit", "quote": "quote", "bar": "bar", "lower": "letter"}

FEATURES = Declaration(
    {
        "text": [
            *("words", "chars", "good", "links", "images before", "marks before", "commas", "sentences"),
            *("sentence length", "word length", "link density", "linked", "strong share"),
            each("{share} characters", share=_SHARES),
            *("upper per word", "capitals only"),
            each("ends with {last}", last=_LAST),
            *("ends with dots", "ends with word"),
            each("first is {first}", first=_FIRST),
        ]
    }
)


def _kinds(names: tuple[str, ...]) -> Ints:
    return np.array([kind.KINDS.index(name) for name in names])


_SHARE_KINDS, _LAST_KINDS, _FIRST_KINDS = _kinds(_SHARES), _kinds(_LAST), _kinds(tuple(_FIRST.values()))
_DOTS = ("...", "…", "…]", "...]")
_ENDS_OF_DOTS = np.zeros(len(kind.KINDS), dtype=bool)
_ENDS_OF_DOTS[[kind.STOP, kind.DOTS, kind.BRACKET]] = True
_part = compiled("text_features")


def fill_in_python(space: Space, facts: Facts) -> None:
    rows = FEATURES.rows(space)
    layout, counts, chars, words = facts.layout, facts.counts, facts.chars, facts.words
    letters = counts[kind.LETTER] + counts[kind.UPPER] + counts[kind.UNSPACED]
    sentences = counts[kind.STOP] + counts[kind.EXCLAIM]
    whole = {
        "words": words,
        "chars": chars,
        "links": layout.links,
        "images before": layout.images,
        "marks before": layout.marks,
        "commas": counts[kind.COMMA],
        "sentences": sentences,
    }
    logarithms = count_logarithm(np.stack(tuple(whole.values()), dtype=np.int64, casting="unsafe"))
    for name, row in zip(whole, logarithms, strict=True):
        rows[name] = row
    rows["good"] = logarithm(facts.good)
    rows["sentence length"] = logarithm(ratio(words, sentences))
    rows["word length"] = np.minimum(ratio(letters, facts.said.run_count), 20)
    rows["link density"] = facts.link_density
    rows["linked"] = facts.link_density > 0.9
    rows["strong share"] = np.minimum(layout.strong_chars / chars, 1)
    rows["share characters"] = np.sqrt(counts.take(_SHARE_KINDS, axis=0) / chars)
    rows["upper per word"] = np.minimum(ratio(counts[kind.UPPER], words), 2)
    rows["capitals only"] = counts[kind.UPPER] > 0.7 * np.maximum(letters, 1)
    rows["ends with last"] = facts.last_kind == _LAST_KINDS[:, None]
    rows["ends with dots"] = _with_dots(facts)
    rows["ends with word"] = kind.word_kinds().take(facts.last_kind)
    rows["first is first"] = facts.first_kind == _FIRST_KINDS[:, None]


_GIVEN = {
    "kinds": {name: number for number, name in enumerate(kind.KINDS)},
    "shares": _SHARE_KINDS,
    "last": _LAST_KINDS,
    "first": _FIRST_KINDS,
    "logarithms": LOGARITHMS,
}
_twin = _part and _part.TextFeatures(FEATURES.places, **_GIVEN)


def fill_compiled(space: Space, facts: Facts) -> None:
    """The same in one pass over the blocks."""
    assert _twin
    _twin.fill(space.values, facts, _with_dots(facts).view(np.uint8))


fill = fill_in_python if _part is None else fill_compiled


def _with_dots(facts: Facts) -> Bools:
    """Which texts break off; only those that end with such a character are looked at."""
    found = _ENDS_OF_DOTS.take(facts.last_kind)
    for index in np.flatnonzero(found).tolist():
        found[index] = facts.texts[index].endswith(_DOTS)
    return found
