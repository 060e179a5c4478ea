"""Kinds of characters, counted for all blocks of a page at once."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

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
_UNSPACED_RANGES = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
)
_HIGHEST = 0xFFFF


@cache
def kind_table() -> NDArray[np.uint8]:
    """The kind of each character of the basic plane; what lies above (emoji, rare Han) counts as the last one."""
    table = np.full(_HIGHEST + 1, SYMBOL, dtype=np.uint8)
    for code in range(_HIGHEST):
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
    for first, last in _UNSPACED_RANGES:
        span = table[first : last + 1]
        span[span == LETTER] = UNSPACED
    return table


def character_kinds(text: str) -> NDArray[np.uint8]:
    """The kind of each character.

    >>> [KINDS[kind] for kind in character_kinds("aB 1,北")]
    ['letter', 'upper', 'space', 'digit', 'comma', 'unspaced']
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds: NDArray[np.uint8] = kind_table()[np.minimum(codes, _HIGHEST)]
    return kinds


@cache
def word_kinds() -> NDArray[np.bool_]:
    r"""Which kinds a regular expression's ``\w`` matches, underscores aside."""
    wanted = np.zeros(len(KINDS), dtype=bool)
    wanted[[LETTER, UPPER, DIGIT, UNSPACED]] = True
    return wanted
