"""The passage of an article that shows why it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from cleancrawl.core.text.words import word_spans
from cleancrawl.sinks.analysis import index_terms

WINDOW = 40
_LEAD = 8
"""Words shown before the first hit of the passage."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage and the character ranges in it that match the query."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def highlighted(self, before: str, after: str) -> str:
        """The passage with each match between two strings.

        >>> Snippet("the city council", ((4, 8),)).highlighted("<", ">")
        'the <city> council'
        """
        parts, end = [], 0
        for start, stop in self.marks:
            parts += [self.text[end:start], before, self.text[start:stop], after]
            end = stop
        return "".join(parts) + self.text[end:]


def mark(text: str, terms: AbstractSet[str], language: str | None) -> Snippet:
    """The whole text with the words whose terms are looked for.

    >>> mark("Councils meet", {"council"}, "en").marks
    ((0, 8),)
    """
    spans = word_spans(text)
    found = _terms_of(text, spans, language)
    return Snippet(text, tuple(span for span, term in zip(spans, found, strict=True) if term in terms))


def snippet(text: str, terms: AbstractSet[str], language: str | None, window: int = WINDOW) -> Snippet:
    """The passage of ``window`` words that holds most of the terms, the earliest of several; the beginning if none."""
    text = " ".join(text.split())
    spans = word_spans(text)
    found = _terms_of(text, spans, language)
    hits = [index for index, term in enumerate(found) if term in terms]
    first = max(0, _best_start(hits, found, window - _LEAD) - _LEAD)
    last = min(len(spans), first + window)
    if not spans:
        return Snippet("")
    start = 0 if first == 0 else spans[first][0]
    end = len(text) if last == len(spans) else spans[last - 1][1]
    before, after = "… " if first else "", " …" if last < len(spans) else ""
    shift = len(before) - start
    marks = tuple((spans[hit][0] + shift, spans[hit][1] + shift) for hit in hits if first <= hit < last)
    return Snippet(before + text[start:end] + after, marks)


def _terms_of(text: str, spans: list[tuple[int, int]], language: str | None) -> list[str]:
    # One call for all words; a word whose lower case holds a blank or splits would shift the rest.
    terms = index_terms(text, language)
    if len(terms) == len(spans):
        return terms
    return [(index_terms(text[start:end], language) or [""])[0] for start, end in spans]


def _best_start(hits: list[int], found: list[str], width: int) -> int:
    """The hit from which ``width`` words hold the most different terms, then the most hits; in one pass."""
    inside: Counter[str] = Counter()
    best, best_start, left = (0, 0), 0, 0
    for right, hit in enumerate(hits):
        inside[found[hit]] += 1
        while hit - hits[left] >= width:
            inside[found[hits[left]]] -= 1
            inside += Counter()  # drops the zeros
            left += 1
        richness = (len(inside), right - left + 1)
        if richness > best:
            best, best_start = richness, hits[left]
    return best_start
