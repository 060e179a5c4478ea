"""Words and phrases in the text that tell what it is for (related stories, newsletters, comments …)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np

from cleancrawl.core.native import compiled
from cleancrawl.core.text.language_words import phrases
from cleancrawl.core.text.stop_words import listed_language, stop_words
from cleancrawl.core.text.words import EDGES, PLAIN, plain_words, plain_words_of
from cleancrawl.methods.learned.features.sheet import Ints

_NAMES = (
    *("related", "newsletter", "comment", "share", "copyright", "credit", "ad", "login", "cookie", "author", "date"),
    *("navigation", "donate", "tags", "about", "video", "shop", "correction"),
)
"""Each is a section of the languages' files; names and order are those of the trained model's features."""
_PHRASE = 1 << 62
_STOP = 1 << 61
_LOOKED_AT = {"longest": 160, "head": 100, "tail": 50, "first_words": 4}
_SAMPLE, _HEAD, _TAIL, _FIRST_WORDS = _LOOKED_AT.values()
_marking = compiled("marking")


class Said(NamedTuple):
    """What the words of each block tell; of long blocks only the first and last are looked at."""

    run_count: Ints
    """How many words were looked at."""
    anywhere: Ints
    """The kinds of markers among them, a bit each."""
    at_start: Ints
    """The kinds of markers among the first few."""
    stops: Ints
    """How many are stop words."""
    hits: Ints
    """How many are markers, or begin one."""


def said_in_python(texts: Sequence[str], language: str | None) -> Said:
    """Look for stop words and markers in the texts of a page's blocks."""
    # What a block is for shows at its ends; looking at all words of long paragraphs costs as much as all else.
    found = plain_words_of([text if len(text) <= _SAMPLE else f"{text[:_HEAD]} {text[-_TAIL:]}" for text in texts])
    words = list(chain.from_iterable(found))
    run_count = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    size, owner = len(texts), np.repeat(np.arange(len(texts)), run_count)
    marks = word_marks(words, language)
    place = np.arange(len(marks)) - (np.cumsum(run_count) - run_count)[owner]
    is_stop = marks & _STOP > 0
    marks &= _STOP - 1
    anywhere, at_start = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    marked = np.flatnonzero(marks)
    np.bitwise_or.at(anywhere, owner[marked], marks[marked])
    early = marked[place[marked] < _FIRST_WORDS]
    np.bitwise_or.at(at_start, owner[early], marks[early])
    stops = np.bincount(owner[is_stop], minlength=size)
    hits = np.bincount(owner[marked], minlength=size)
    return Said(run_count, anywhere, at_start, stops, hits)


@cache
def _kinds() -> dict[str, list[list[str]]]:
    return {name: [plain_words(phrase) for phrase in phrases(f"marker-{name}")] for name in _NAMES}


def marker_names() -> tuple[str, ...]:
    """The kinds of markers; the position of a name is its bit."""
    return _NAMES


@cache
def _phrases() -> dict[str, list[tuple[list[str], int, int]]]:
    """Phrases of several words by their longest word, with its place: it is the rarest, so few places are tried."""
    found: dict[str, list[tuple[list[str], int, int]]] = {}
    for position, listed in enumerate(_kinds().values()):
        for phrase in listed:
            if len(phrase) > 1:
                place = max(range(len(phrase)), key=lambda index: len(phrase[index]))
                found.setdefault(phrase[place], []).append((phrase, place, 1 << position))
    return found


@cache
def _word_bits(language: str | None) -> dict[str, int]:
    """What a single word tells: its kinds of markers, whether it is in phrases, whether it is a stop word."""
    bits = dict.fromkeys(stop_words(language), _STOP)
    for position, listed in enumerate(_kinds().values()):
        for phrase in listed:
            if len(phrase) == 1:
                bits[phrase[0]] = bits.get(phrase[0], 0) | 1 << position
    for longest in _phrases():
        bits[longest] = bits.get(longest, 0) | _PHRASE
    return bits


def word_marks(words: Sequence[str], language: str | None) -> Ints:
    """The bits of each lower-case word; a phrase marks its first word.

    >>> names = marker_names()
    >>> marks = word_marks(["read", "also"], "en").tolist()
    >>> [[names[bit] for bit in range(len(names)) if mark >> bit & 1] for mark in marks]
    [['related'], []]
    """
    get = _word_bits(listed_language(language)).get
    marks = np.fromiter(map(get, words, repeat(0)), dtype=np.int64, count=len(words))
    known = _phrases()
    for index in np.flatnonzero(marks & _PHRASE).tolist():
        for phrase, place, bit in known[words[index]]:
            first = index - place
            if first >= 0 and words[first : first + len(phrase)] == phrase:
                marks[first] |= bit
    marks &= ~_PHRASE
    return marks


@cache
def _lexicon(language: str | None) -> Any:
    assert _marking is not None
    return _marking.Lexicon(_word_bits(language), _phrases(), PLAIN, EDGES, _STOP, _PHRASE, _LOOKED_AT)


def said_compiled(texts: Sequence[str], language: str | None) -> Said:
    """The same without a Python object for any word."""
    rows = _lexicon(listed_language(language)).said(texts)
    return Said(*np.frombuffer(rows, dtype=np.int64).reshape(len(Said._fields), -1))


said = said_in_python if _marking is None else said_compiled
