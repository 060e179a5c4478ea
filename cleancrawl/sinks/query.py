"""What a person types into a search: words, "phrases", +required, -excluded, title: and authors:."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cleancrawl.core.text.words import words

_CLAUSE = re.compile(r'([+-]?)(?:(title|text|authors):)?(?:"([^"]*)"?|(\S+))')


@dataclass(frozen=True, slots=True)
class Clause:
    """One word or phrase of a query."""

    text: str
    field: str | None = None
    required: bool = False
    excluded: bool = False


def parse_query(query: str) -> list[Clause]:
    """Any text is a query: what has no meaning as syntax is words.

    >>> parse_query('budget -sport "city council"')
    [Clause(text='budget', field=None, required=False, excluded=False), \
Clause(text='sport', field=None, required=False, excluded=True), \
Clause(text='city council', field=None, required=False, excluded=False)]
    >>> parse_query('+title:budget')
    [Clause(text='budget', field='title', required=True, excluded=False)]
    """
    return [
        Clause(phrase or word, field or None, sign == "+", sign == "-")
        for sign, field, phrase, word in _CLAUSE.findall(query)
        if words(phrase or word)
    ]
