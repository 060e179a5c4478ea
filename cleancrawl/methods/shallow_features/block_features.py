"""METHODS B2: the shallow text features of all blocks of a page, as one table."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.text.language_words import months
from cleancrawl.core.text.stop_words import stop_words
from cleancrawl.core.text.words import split

Table = NDArray[np.float64]

CLOSING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "a", "li", "td", "blockquote", "figcaption", "other")
"""The tag that closes a block; ``a`` where all of its text is one link."""
_COUNTED = (
    *("words", "link density", "word length", "sentence length", "capitalised", "capitalised share", "capitals"),
    *("capitals share", "full stop share", "dates", "bars", "text density", "stop word density"),
)
_BLOCK_NAMES = (*(f"tag {tag}" for tag in CLOSING_TAGS), *_COUNTED, "words quotient", "text density quotient")
NAMES: tuple[str, ...] = (
    "position",
    "relative position",
    *(f"{place}{name}" for place in ("", "previous ", "next ") for name in _BLOCK_NAMES),
)
"""Names of the columns, in order."""
_COLUMN = {name: column for column, name in enumerate(NAMES)}

_LINE_WIDTH = 80
_SENTENCE_END = re.compile(r"(?<![.?!;。！？；])[.?!;。！？；]++(?=\s|$)")
_DATE_OR_TIME = re.compile(r"\b(?:\d{1,2}:\d\d|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?:19|20)\d\d)\b")
_PUNCTUATION = ".,;:!?\"'()[]{}<>|/\\–—-…«»„“”‘’*#&+=~_·•©®"
_TO_BLANKS = str.maketrans(dict.fromkeys('.,;:!?"()[]«»„“”…|', " "))


def column(name: str) -> int:
    """The number of a column.

    >>> column("relative position")
    1
    """
    return _COLUMN[name]


def shallow_features(page: Page) -> Table:
    """A row per block, a column per name in ``NAMES``; missing neighbours count as 0."""
    own = _own_features(page.blocks, stop_words(page.language))
    size = len(own)
    if not size:
        return np.zeros((0, len(NAMES)))
    place = np.arange(size, dtype=float)
    empty = np.zeros((1, own.shape[1]))
    previous, following = np.vstack([empty, own[:-1]]), np.vstack([own[1:], empty])
    return np.hstack([np.column_stack([place, place / size]), own, previous, following])


def _own_features(blocks: Sequence[Block], stops: frozenset[str]) -> Table:
    counted = np.array([_count(block, stops) for block in blocks]).reshape(len(blocks), len(_COUNTED))
    tags = np.array([_closing_tag(block) for block in blocks], dtype=np.int64)
    words, density = counted[:, _COUNTED.index("words")], counted[:, _COUNTED.index("text density")]
    quotients = np.column_stack([_quotient(words), _quotient(density)])
    return np.hstack([np.eye(len(CLOSING_TAGS))[tags], counted, quotients])


def _quotient(values: Table) -> Table:
    """Each value over the one before; over 1 where that is 0 or missing."""
    before = np.concatenate([[0.0], values[:-1]])[: len(values)]
    quotient: Table = values / np.where(before > 0, before, 1.0)
    return quotient


def _closing_tag(block: Block) -> int:
    if block.words and block.link_words >= block.words:
        return CLOSING_TAGS.index("a")
    return CLOSING_TAGS.index(block.tag) if block.tag in CLOSING_TAGS else len(CLOSING_TAGS) - 1


def _count(block: Block, stops: frozenset[str]) -> tuple[float, ...]:
    text = block.text
    tokens = split(text)
    word_list = [token for token in tokens if token[0].isalnum() or token.strip(_PUNCTUATION)]
    count = max(block.words - (len(tokens) - len(word_list)), 1)
    plain = split(text.lower().translate(_TO_BLANKS))
    capitalised = sum(word[0].isupper() for word in word_list)
    capitals = sum(word.isupper() and len(word) > 1 for word in word_list)
    dates = len(_DATE_OR_TIME.findall(text)) + sum(map(month_names().__contains__, plain))
    return (
        count,
        min(block.link_words / max(block.words, 1), 1.0),
        sum(map(len, word_list)) / count,
        count / max(len(_SENTENCE_END.findall(text)), 1),
        capitalised,
        capitalised / count,
        capitals,
        capitals / count,
        text.count(".") / count,
        dates,
        text.count("|"),
        text_density(tokens),
        sum(map(stops.__contains__, plain)) / max(len(plain), 1),
    )


@cache
def month_names() -> frozenset[str]:
    """Names of months in many languages; the short ones double as words and are left out."""
    listed = (*months().values(), *months("own-months").values())
    return frozenset(name for names in listed for name in names if len(name) > 3)


def text_density(tokens: Sequence[str], width: int = _LINE_WIDTH) -> float:
    """Tokens per line of the text wrapped at 80 columns, the last line left out where there are several.

    >>> text_density(["word"] * 10), text_density(["word"] * 40), text_density([])
    (10.0, 16.0, 0.0)
    """
    # Where each token ends if the text were one line; a line then ends at the last token within the width.
    ends = array("q", accumulate((len(token) + 1 for token in tokens), initial=0))
    if ends[-1] <= width + 1:
        return float(len(tokens))
    first = lines = last = 0
    while first < len(tokens):
        last = first
        # A token longer than the line has the line to itself.
        first = max(bisect_right(ends, ends[first] + width + 1) - 1, first + 1)
        lines += 1
    return float(last) / (lines - 1) if lines > 1 else float(len(tokens))
