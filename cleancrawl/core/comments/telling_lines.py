"""Which short lines of a page have a word that headings and buttons of discussions have: few, on most pages none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from cleancrawl.core.comments.comment_words import telling_words
from cleancrawl.core.native import compiled
from cleancrawl.core.text.words import EDGES, PLAIN, plain_words_of

_TOLD, _STOP, _PHRASE = 1, 1 << 61, 1 << 62
_SAMPLE = {"longest": 160, "head": 100, "tail": 50, "first_words": 1}
_ROWS, _ANYWHERE = 5, 1
"""What the compiled part says of each text, and where in it this is."""
_marking = compiled("marking")


def telling_lines_in_python(texts: Sequence[str]) -> list[int]:
    """The numbers of the texts with one of ``telling_words``, and of those that are too long for one look.

    >>> telling_lines_in_python(["Reply", "A bridge", "12 Comments:"])
    [0, 2]
    """
    told, longest = telling_words(), _SAMPLE["longest"]
    lines = zip(texts, plain_words_of(texts), strict=True)
    return [number for number, (text, words) in enumerate(lines) if len(text) > longest or not told.isdisjoint(words)]


def telling_lines_compiled(texts: Sequence[str]) -> list[int]:
    """The same without a Python object for any word."""
    rows = np.frombuffer(_lexicon().said(texts), dtype=np.int64).reshape(_ROWS, len(texts))
    long = np.array(list(map(len, texts)), dtype=np.int64) > _SAMPLE["longest"]
    found: list[int] = np.flatnonzero((rows[_ANYWHERE] > 0) | long).tolist()
    return found


@cache
def _lexicon() -> Any:
    assert _marking is not None
    return _marking.Lexicon(dict.fromkeys(telling_words(), _TOLD), {}, PLAIN, EDGES, _STOP, _PHRASE, _SAMPLE)


telling_lines = telling_lines_in_python if _marking is None else telling_lines_compiled
