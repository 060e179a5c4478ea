"""Two texts, line by line and within changed lines word by word: what is the same, what was lost, what was gained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cleancrawl.core.text.words import word_spans, words
from cleancrawl.report.sequence_match import matched

Fate = Literal["same", "lost", "gained"]
MIN_SHARED = 0.3
"""Lines that share fewer of their words are other lines, not changed ones."""
CONTEXT = 2


@dataclass(frozen=True, slots=True)
class Piece:
    fate: Fate
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line in its pieces; where all have one fate, the line has."""

    pieces: tuple[Piece, ...]

    @property
    def fate(self) -> Literal["same", "lost", "gained", "changed"]:
        fates = {piece.fate for piece in self.pieces}
        return fates.pop() if len(fates) == 1 else "changed"

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Diff:
    """What became of a text."""

    rows: Sequence[Row]
    before: int
    """Words of the first text …"""
    after: int
    """… and of the second."""
    lost: int
    gained: int

    @property
    def changed(self) -> int:
        return self.lost + self.gained

    @property
    def alike(self) -> float:
        """Twice the shared words as a share of all words of both; 1 where both are empty."""
        both = self.before + self.after
        return 1 - self.changed / both if both else 1.0

    def __str__(self) -> str:
        """
        >>> str(diff("a big storm", "a storm"))
        '1 word lost, 0 gained, 80.0% alike'
        """
        noun = "word" if self.lost == 1 else "words"
        return f"{self.lost:,} {noun} lost, {self.gained:,} gained, {self.alike:.1%} alike"

    def hunks(self, context: int = CONTEXT) -> list[list[Row]]:
        """The rows, in runs; every second run is of rows that are the same and far from any change. May begin with an
        empty run."""
        changes = [place for place, row in enumerate(self.rows) if row.fate != "same"]
        near = {place + by for place in changes for by in range(-context, context + 1)}
        found: list[list[Row]] = [[]]
        for place, row in enumerate(self.rows):
            if (len(found) % 2 == 1) != (place in near):
                found.append([])
            found[-1].append(row)
        return found


def diff(before: str, after: str) -> Diff:
    """What became of one text in the other, in bounded time.

    >>> [(row.fate, row.text) for row in diff("One storm.\\nThe end", "Two storms.\\nThe end").rows]
    [('lost', 'One storm.'), ('gained', 'Two storms.'), ('same', 'The end')]
    >>> [(piece.fate, piece.text) for piece in diff("A big storm hit us", "A storm hit us hard").rows[0].pieces]
    [('same', 'A '), ('lost', 'big '), ('same', 'storm hit us'), ('gained', ' hard')]
    """
    a, b = before.splitlines(), after.splitlines()
    rows: list[Row] = []
    for part in matched(a, b):
        if part.same:
            rows += [Row((Piece("same", line),)) for line in a[part.a : part.a_end]]
        else:
            rows += _changed(a[part.a : part.a_end], b[part.b : part.b_end])
    counts = {"same": 0, "lost": 0, "gained": 0}
    for row in rows:
        for piece in row.pieces:
            counts[piece.fate] += _count(piece.text)
    return Diff(rows, _count(before), _count(after), counts["lost"], counts["gained"])


def _count(text: str) -> int:
    return len(words(text))


def _changed(lost: list[str], gained: list[str]) -> Iterator[Row]:
    """Lines in place of others: word by word where they share enough, else as they are."""
    if lost and gained:
        a, b = tokens("\n".join(lost)), tokens("\n".join(gained))
        pieces = _slid(_tidied(_pieces(a, b)))
        shared = sum(_count(piece.text) for piece in pieces if piece.fate == "same")
        least = min(sum(map(_count, lost)), sum(map(_count, gained)))
        if shared >= MIN_SHARED * max(least, 1):
            yield from _rows(pieces)
            return
    yield from (Row((Piece("lost", line),)) for line in lost)
    yield from (Row((Piece("gained", line),)) for line in gained)


def tokens(text: str) -> list[str]:
    """Words, and what stands between them.

    >>> tokens("It's 20 °C.\\nToday")
    ["It's", ' ', '20', ' °', 'C', '.', '\\n', 'Today']
    """
    found, end = [], 0
    for start, stop in word_spans(text):
        found += _between(text[end:start])
        found.append(text[start:stop])
        end = stop
    return [*found, *_between(text[end:])]


def _between(text: str) -> list[str]:
    head, line_end, tail = text.partition("\n")
    return [part for part in (head, line_end, *(_between(tail) if tail else ())) if part]


def _pieces(a: list[str], b: list[str]) -> list[Piece]:
    found: list[Piece] = []
    for part in matched(a, b):
        if part.same:
            found.append(Piece("same", "".join(a[part.a : part.a_end])))
            continue
        if part.a < part.a_end:
            found.append(Piece("lost", "".join(a[part.a : part.a_end])))
        if part.b < part.b_end:
            found.append(Piece("gained", "".join(b[part.b : part.b_end])))
    return found


def _tidied(pieces: list[Piece]) -> list[Piece]:
    """Blanks and commas that happen to be the same between two changes belong to both: so that phrases stay whole."""
    found: list[Piece] = []
    lost = gained = ""
    for place, piece in enumerate(pieces):
        between = 0 < place < len(pieces) - 1 and (lost and gained) and not any(map(str.isalnum, piece.text))
        if piece.fate == "lost":
            lost += piece.text
        elif piece.fate == "gained":
            gained += piece.text
        elif between and "\n" not in piece.text:
            lost, gained = lost + piece.text, gained + piece.text
        else:
            found += _both(lost, gained)
            lost = gained = ""
            found.append(piece)
    return [*found, *_both(lost, gained)]


def _both(lost: str, gained: str) -> list[Piece]:
    # What both end with was only taken in between two changes.
    shared = 0
    while shared < min(len(lost), len(gained)) and lost[-1 - shared] == gained[-1 - shared]:
        if lost[-1 - shared].isalnum() or lost[-1 - shared] == "\n":
            break
        shared += 1
    ends = lost[len(lost) - shared :]
    parts = [Piece("lost", lost[: len(lost) - shared]), Piece("gained", gained[: len(gained) - shared])]
    return [piece for piece in (*parts, Piece("same", ends)) if piece.text]


def _slid(pieces: list[Piece]) -> list[Piece]:
    """Whole lines where a change may as well be one: what is gained behind a full stop is the next line, with its own.

    >>> [piece.text for piece in _slid([Piece("same", "A"), Piece("gained", ".\\nB"), Piece("same", ".")])]
    ['A.', '\\nB.']
    """
    found = list(pieces)
    for place in range(1, len(found) - 1):
        before, piece, after = found[place - 1 : place + 2]
        head, line_end, rest = piece.text.partition("\n")
        alone = before.fate == after.fate == "same" != piece.fate
        if alone and head and line_end and after.text.startswith(head):
            found[place - 1] = Piece("same", before.text + head)
            found[place] = Piece(piece.fate, line_end + rest + head)
            found[place + 1] = Piece("same", after.text[len(head) :])
    return [piece for piece in found if piece.text]


def _rows(pieces: list[Piece]) -> Iterator[Row]:
    """Cut at line ends, whosesoever they are."""
    row: list[Piece] = []
    for piece in pieces:
        first, *more = piece.text.split("\n")
        if first:
            row.append(Piece(piece.fate, first))
        for line in more:
            if row:
                yield Row(tuple(row))
            row = [Piece(piece.fate, line)] if line else []
    if row:
        yield Row(tuple(row))
