"""Lines that may be in a text or not, such as a standfirst, a credit or a contact line: they count neither way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cleancrawl.lab.bench.metrics import shingles, tokens

_WORD = re.compile(r"\w+")
_RUN = 4
"""Fewer words than this are everywhere by chance: such a line counts only where it is a line of the text as well."""

Spans = list[tuple[int, int]]


def without_optional(text: str, gold: str, optional: Sequence[str]) -> str:
    r"""The text without the optional lines that it has beyond the gold: each is cut once, a second copy is false text.

    Of a line that the text holds only in part, the runs of four words are cut that the gold does not have.

    >>> without_optional("By our staff in Bern\nRain.\nBy our staff in Bern", "Rain.", ["By our staff in Bern"])
    '\nRain.\nBy our staff in Bern'
    >>> without_optional("Rain. By our staff in Berne", "Rain.", ["By our staff in Bern"])
    'Rain.  Berne'
    """
    gold_runs = frozenset(shingles(_words(gold))) if optional else frozenset()
    for line in optional:
        wanted = _words(line)
        whole = _whole(text, wanted) if wanted else []
        if len(whole) > len(_whole(gold, wanted)):
            text = _cut(text, whole[:1])
        elif not whole and len(wanted) >= _RUN:
            text = _cut(text, _parts(text, wanted, gold_runs))
    return text


def _whole(text: str, wanted: list[str]) -> Spans:
    """Where these words follow one another, whatever lines they are spread over."""
    if len(wanted) < _RUN:
        return _own_lines(text, wanted)
    places = [match.span() for match in _WORD.finditer(text)]
    words = [text[start:end].lower() for start, end in places]
    return [
        (places[first][0], places[first + len(wanted) - 1][1])
        for first in range(len(words) - len(wanted) + 1)
        if words[first] == wanted[0] and words[first : first + len(wanted)] == wanted
    ]


def _own_lines(text: str, wanted: list[str]) -> Spans:
    spans: Spans = []
    begin = 0
    for line in text.splitlines(keepends=True):
        if _words(line) == wanted:
            spans.append((begin, begin + len(line.rstrip())))
        begin += len(line)
    return spans


def _parts(text: str, wanted: list[str], gold_runs: frozenset[tuple[str, ...]]) -> Spans:
    """Where the line's runs of four words are that the gold has not, each as often as the line has it."""
    left = shingles(wanted)
    places = [match.span() for match in _WORD.finditer(text)]
    words = [text[start:end].lower() for start, end in places]
    spans: Spans = []
    for first in range(len(words) - _RUN + 1):
        run = tuple(words[first : first + _RUN])
        if left[run] > 0 and run not in gold_runs:
            left[run] -= 1
            begin, end = places[first][0], places[first + _RUN - 1][1]
            if spans and begin <= spans[-1][1]:
                begin = spans.pop()[0]
            spans.append((begin, end))
    return spans


def _cut(text: str, spans: Spans) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _words(text: str) -> list[str]:
    return [word.lower() for word in tokens(text)]
