"""Texts that are the same, among all of an archive: by the bands of a store, in bounded memory.

Used twice: for pages of one site that are copies of one another (print versions, tracking parameters), which count as
one page: a text belongs to the oldest one that is the same, and to the one that this one belongs to. And for articles
that tell the same story anywhere in the archive: there it is decided as in a crawl that meets them in their order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from xxhash import xxh64_intdigest

from cleancrawl.core.fingerprints.article_signature import SAME, Signature, similarity
from cleancrawl.core.fingerprints.originals import MOST_TWINS, Claim, decide
from cleancrawl.core.text.encodable import encodable
from cleancrawl.stores.page_rules import contents_agree

GROUP = 16
"""Texts with one band key that are candidates for the others, the oldest: what makes a common phrase cost no square."""
COPY = 2 / 3
"""The share of common shingles from which on two pages of a site are one: that of two texts that share 80 %."""
_SIGNED = 1 << 63

SCHEMA = """
CREATE TABLE texts (number INTEGER PRIMARY KEY, date REAL, place INTEGER, content INTEGER, data BLOB, url TEXT,
                    canonical TEXT, published TEXT);
CREATE TABLE bands (key INTEGER, date REAL, place INTEGER, number INTEGER);
CREATE TABLE pairs (date REAL, place INTEGER, number INTEGER, older REAL, before INTEGER, candidate INTEGER);
CREATE TABLE leaders (number INTEGER PRIMARY KEY, leader INTEGER) WITHOUT ROWID;
CREATE TABLE duplicates (number INTEGER PRIMARY KEY, original TEXT) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its fingerprint. ``date`` and ``place`` say which of two is the older one."""

    number: int
    date: float
    place: int
    url: str
    signature: Signature
    content: int = 0
    within: str = ""
    """Only texts with the same value here are compared: a site, or nothing."""
    canonical: str = ""
    published: str | None = None
    """What an article says of itself."""


def is_copy(first: bytes, second: bytes, contents: tuple[int, int]) -> bool:
    return similarity(first, second) >= COPY and contents_agree(*contents)


def marks(number: int, claim: Claim, twins: Sequence[tuple[int, Claim]]) -> dict[int, str]:
    """What an article changes among those with its story, oldest first: of which each is a copy now, by number."""
    chosen = twins[:MOST_TWINS]
    verdict = decide(claim, [twin for _, twin in chosen])
    found = {other: claim.url for other, twin in chosen if twin.url in verdict.copies}
    return found if verdict.duplicate_of is None else {**found, number: verdict.duplicate_of}


def band_keys(text: Text) -> list[int]:
    """The keys of a text, apart by what it is compared within; signed, as databases have integers."""
    within = xxh64_intdigest(text.within.encode("utf-8", "surrogatepass")) >> 1 if text.within else 0
    return [key ^ within for key in text.signature.keys]


class AlikeTexts:
    """Texts in a file. Sorting is the database's, which does it on disk: memory does not grow with the archive."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
        self._file.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE;" + SCHEMA)
        self._file.execute("BEGIN")

    def add(self, texts: Iterable[Text]) -> None:
        rows: list[tuple[Any, ...]] = []
        bands: list[tuple[int, float, int, int]] = []
        for text in texts:
            rows.append(
                (
                    *(text.number, text.date, text.place, _signed(text.content), text.signature.data),
                    *(encodable(text.url), encodable(text.canonical), text.published and encodable(text.published)),
                )
            )
            bands += [(key, text.date, text.place, text.number) for key in band_keys(text)]
        self._file.executemany("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._file.executemany("INSERT INTO bands VALUES (?, ?, ?, ?)", bands)

    def find_copies(self) -> None:
        """Find out which text belongs to which; to be asked for by ``leaders``."""
        for number, candidates in self._candidates():
            data, content = self._text(number)
            for candidate in candidates:
                other, other_content = self._text(candidate)
                if is_copy(data, other, (content, other_content)):
                    # Those that are older were settled before.
                    first = self._leader(candidate) or candidate
                    self._file.execute("INSERT INTO leaders VALUES (?, ?)", (number, first))
                    break

    def find_stories(self) -> None:
        """Find out which article repeats which; to be asked for by ``originals``."""
        for number, candidates in self._candidates():
            data, _ = self._text(number)
            same = (other for other in candidates if similarity(data, self._text(other)[0]) >= SAME)
            twins = [(other, self._claim(other)) for other in islice(same, MOST_TWINS)]
            if twins:
                found = marks(number, self._claim(number), twins)
                self._file.executemany("INSERT OR REPLACE INTO duplicates VALUES (?, ?)", found.items())

    def _candidates(self) -> Iterator[tuple[int, Iterable[int]]]:
        """Each text that has some, the oldest first, with the older ones that share a band, the oldest first."""
        self._file.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?)", self._pairs())
        ordered = self._file.execute(
            "SELECT number, candidate FROM pairs ORDER BY date, place, number, older, before, candidate"
        )
        for number, rows in groupby(ordered, key=itemgetter(0)):
            yield number, dict.fromkeys(candidate for _, candidate in rows)

    def _pairs(self) -> Iterator[tuple[float, int, int, float, int, int]]:
        bands = self._file.execute("SELECT key, date, place, number FROM bands ORDER BY key, date, place, number")
        last: int | None = None
        oldest: list[tuple[float, int, int]] = []
        # Nearly all keys have one text.
        for key, *text in bands:
            if key != last:
                last, oldest = key, []
            date, place, number = text
            for candidate in oldest:
                yield date, place, number, *candidate
            if len(oldest) < GROUP:
                oldest.append((date, place, number))

    def _text(self, number: int) -> tuple[bytes, int]:
        data, content = self._file.execute("SELECT data, content FROM texts WHERE number = ?", (number,)).fetchone()
        return data, content % (1 << 64)

    def _claim(self, number: int) -> Claim:
        row = self._file.execute(
            "SELECT url, canonical, published, original FROM texts LEFT JOIN duplicates USING (number)"
            " WHERE number = ?",
            (number,),
        ).fetchone()
        return Claim(*row)

    def _leader(self, number: int) -> int | None:
        found = self._file.execute("SELECT leader FROM leaders WHERE number = ?", (number,)).fetchone()
        return int(found[0]) if found else None

    def leaders(self) -> Iterator[tuple[int, int]]:
        """Number of each text that belongs to another one, and that one's; in the order of the numbers."""
        yield from self._file.execute("SELECT number, leader FROM leaders ORDER BY number")

    def keep(self) -> int:
        """Leave the file to be read by ``originals``; returns how many articles repeat another one."""
        (found,) = self._file.execute("SELECT count(*) FROM duplicates").fetchone()
        self._file.execute("COMMIT")
        self.close()
        return int(found)

    def close(self) -> None:
        self._file.close()


def originals(path: Path, numbers: Sequence[int]) -> dict[int, str]:
    """Of those among the articles of a file that repeat another one: that one's URL."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as file:
        return {
            number: url
            for number in numbers
            for (url,) in file.execute("SELECT original FROM duplicates WHERE number = ?", (number,))
        }


def _signed(value: int) -> int:
    return value - 2 * _SIGNED if value >= _SIGNED else value
