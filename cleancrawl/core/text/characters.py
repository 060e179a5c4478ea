"""Kinds of characters, counted for all blocks of a page at once."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.text.words import UNSPACED_RANGES

KINDS = (
    *("letter", "upper", "digit", "space", "comma", "stop", "exclaim", "colon", "dash", "quote", "bracket", "bar"),
    *("symbol", "copyright", "unspaced", "ellipsis"),
)
(
    LETTER,
    UPPER,
    DIGIT,
    SPACE,
    COMMA,
    STOP,
    EXCLAIM,
    COLON,
    DASH,
    QUOTE,
    BRACKET,
    BAR,
    SYMBOL,
    COPYRIGHT,
    UNSPACED,
    DOTS,
) = range(len(KINDS))

_CHARACTERS = {
    COMMA: ",;、،，؛；",
    STOP: ".。．।۔",
    EXCLAIM: "!?！？؟",
    COLON: ":：",
    DASH: "-–—―",
    QUOTE: "\"'“”„‘’«»‹›「」『』‚",
    BRACKET: "()[]{}（）【】",
    BAR: "|•·/\\→►▶▸›»←◄…*_~>",
    COPYRIGHT: "©®™",
    DOTS: "…",
}
BASIC = 0x10000
"""Characters of the basic plane, of which each has a kind of its own; each plane above has one for all."""
_PLANES = 17


@cache
def kind_table() -> NDArray[np.uint8]:
    """The kind of each character of the basic plane, then of each plane: rare Han, or symbols such as emoji."""
    table = np.full(BASIC + _PLANES, SYMBOL, dtype=np.uint8)
    for code in range(BASIC):
        character = chr(code)
        if character.isspace():
            table[code] = SPACE
        elif character.isalnum():
            table[code] = LETTER
            if character.isdigit():
                table[code] = DIGIT
            elif unicodedata.category(character) in ("Lu", "Lt"):
                table[code] = UPPER
    for kind, characters in _CHARACTERS.items():
        table[[ord(character) for character in characters]] = kind
    for first, last in UNSPACED_RANGES:
        if first < BASIC:
            span = table[first : last + 1]
            span[span == LETTER] = UNSPACED
        else:
            table[BASIC + first // BASIC : BASIC + last // BASIC + 1] = UNSPACED
    return table


_LONG = 500_000


def character_kinds(text: str) -> NDArray[np.uint8]:
    """The kind of each character.

    >>> [KINDS[kind] for kind in character_kinds("aB 1,北𠮷😀")]
    ['letter', 'upper', 'space', 'digit', 'comma', 'unspaced', 'unspaced', 'symbol']
    """
    if len(text) > _LONG:
        # A kind takes a byte, what it is made of twenty.
        starts = range(0, len(text), _LONG)
        return np.concatenate([character_kinds(text[start : start + _LONG]) for start in starts])
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if codes.size and codes.max() >= BASIC:
        codes = np.where(codes < BASIC, codes, BASIC + codes // BASIC)
    kinds: NDArray[np.uint8] = kind_table()[codes]
    return kinds


@cache
def word_kinds() -> NDArray[np.bool_]:
    r"""Which kinds a regular expression's ``\w`` matches, underscores aside."""
    wanted = np.zeros(len(KINDS), dtype=bool)
    wanted[[LETTER, UPPER, DIGIT, UNSPACED]] = True
    return wanted
