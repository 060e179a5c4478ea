"""Which sentences stand in many articles of a site, counted in constant memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from xxhash import xxh64_intdigest

from cleancrawl.core.native import compiled

SEEN_BITS = 1 << 15
COUNTED = 48
"""Sentences that are counted at once; the rarest makes room."""
KEPT = 8
"""Sentences that a run leaves in the store."""
SHORTEST, LONGEST = 30, 240
"""Characters. Shorter ones recur in honest prose ("He did not comment."); of longer ones the beginning counts."""
SENTENCES = 400
"""Of one article."""

_MARKS = ".!?…。！？؟"
# White space behind a mark, or line feeds. Begins with one set of characters: choices would take four times as long.
_ENDS = re.compile(rf"[{_MARKS}\n](?:(?<=\n)\n*|(?<!\n)\s+)")

_part = compiled("sentences")


def sentences_of(text: str) -> list[tuple[str, int]]:
    """The sentences of an article, each once, with a digest.

    >>> text = "Subscribe to our weekly newsletter now!\\nNo. Subscribe to our weekly newsletter now!"
    >>> [sentence for sentence, _ in sentences_of(text)]
    ['Subscribe to our weekly newsletter now!']
    """
    if _part is None:
        return sentences_in_python(text)
    found: list[tuple[str, int]] = _part.sentences(text, _MARKS, SHORTEST, LONGEST, SENTENCES)
    return found


def sentences_in_python(text: str) -> list[tuple[str, int]]:
    parts: list[str] = []
    start = 0
    for found in islice(_ENDS.finditer(text), SENTENCES):
        end, behind = found.span()
        # A mark belongs to its sentence.
        parts.append(text[start : end + (text[end] != "\n")])
        start = behind
    parts.append(text[start:])
    each = dict.fromkeys([part.strip()[:LONGEST] for part in parts[:SENTENCES]])
    return [
        (sentence, xxh64_intdigest(sentence.encode("utf-8", "replace")))
        for sentence in each
        if len(sentence) >= SHORTEST
    ]


class RecurringSentences:
    """A sentence is counted from its second sighting on: a set of bits remembers, roughly, the first.

    So nearly all that is ever counted recurs, and a few counters are enough. Where they are not, the rarest sentence
    makes room, and the one that takes its place starts at two: counts never exceed the truth by more than one.
    """

    def __init__(self) -> None:
        self._seen: bytearray | None = None
        self._counts: dict[str, int] = {}

    def add(self, text: str) -> None:
        counts = self._counts
        if self._seen is None:
            self._seen = bytearray(SEEN_BITS // 8)
        seen = self._seen
        for sentence, digest in sentences_of(text):
            if sentence in counts:
                counts[sentence] += 1
                continue
            number = digest % SEEN_BITS
            place, bit = number >> 3, 1 << (number & 7)
            if not seen[place] & bit:
                seen[place] |= bit
                continue
            if len(counts) >= COUNTED:
                # In a long run that is what most sentences come to: no step of Python's for each counter.
                least = [*counts.values()]
                del counts[next(islice(counts, least.index(min(least)), None))]
            counts[sentence] = 2

    def merge(self, counts: Iterable[tuple[str, int]]) -> None:
        for sentence, count in counts:
            self._counts[sentence] = self._counts.get(sentence, 0) + count
        for sentence in sorted(self._counts, key=self._counts.__getitem__)[:-COUNTED]:
            del self._counts[sentence]

    def most_common(self) -> list[tuple[str, int]]:
        return sorted(self._counts.items(), key=lambda entry: (-entry[1], entry[0]))[:KEPT]
