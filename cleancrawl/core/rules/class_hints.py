"""What the words in class, id and role attributes hint at, as bits."""

from __future__ import annotations

import re
from functools import cache, reduce
from itertools import repeat
from operator import or_

from cleancrawl.data import read_text

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SEPARATORS = bytes(code if chr(code).isalpha() and code < 128 else 32 for code in range(256))
MOST_KNOWN = 20_000
LONGEST = 400
"""So much of a value is looked at."""
_NOTHING = repeat(0)


@cache
def hint_names() -> tuple[str, ...]:
    """The names of the hints; the position of a name is its bit."""
    return tuple(_groups())


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    text = read_text("class_hints.txt")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {name.strip(): tuple(tokens.split()) for name, _, tokens in (line.partition(":") for line in lines)}


@cache
def token_bits() -> dict[bytes, int]:
    """The bits of each word that hints at something."""
    bits: dict[bytes, int] = {}
    for position, tokens in enumerate(_groups().values()):
        for token in tokens:
            bits[token.encode()] = bits.get(token.encode(), 0) | 1 << position
    return bits


known_hints: dict[str, int] = {}
"""The bits of attribute values that were met before: a site repeats its class names on every page."""
cached_hints = known_hints.get


def hints_of(value: str) -> int:
    """The bits of an attribute value, by whole words; remembered for ``cached_hints``.

    >>> names = hint_names()
    >>> [names[bit] for bit in range(len(names)) if hints_of("header download add-comment shadow") >> bit & 1]
    ['comment', 'header']
    """
    known = cached_hints(value)
    if known is not None:
        return known
    mask: int = reduce(or_, map(token_bits().get, _tokens(value[:LONGEST]), _NOTHING), 0)
    if len(known_hints) >= MOST_KNOWN:
        # Starting over is rare and costs one page's look-ups; an order of use would cost on every hit.
        known_hints.clear()
    known_hints[value] = mask
    return mask


def _tokens(value: str) -> list[bytes]:
    """The words of a value in lower case; the usual lower-case names take a path without a regular expression.

    >>> _tokens("entry-content col2"), _tokens("postBody HTMLText")
    ([b'entry', b'content', b'col'], [b'post', b'body', b'html', b'text'])
    """
    if value.isascii() and (value.islower() or value == value.lower()):
        return value.encode().translate(_SEPARATORS).split()
    return [token.lower().encode() for token in _TOKEN.findall(value)]
