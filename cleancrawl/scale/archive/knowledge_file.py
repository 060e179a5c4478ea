"""What is known of the sites of an archive, in one file that the second pass reads."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path

from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.scale.archive.site_blocks import SiteBlocks

KEPT_BYTES = 32_000_000
"""Of sites that stay read, in each process."""
_AT_ONCE = 500

SCHEMA = """
CREATE TABLE captures (number INTEGER PRIMARY KEY, date REAL, place INTEGER);
CREATE TABLE clusters (number INTEGER PRIMARY KEY, leader INTEGER, article INTEGER);
CREATE TABLE sites (site TEXT PRIMARY KEY, blocks BLOB);
CREATE TABLE notes (site TEXT, name TEXT, note TEXT, PRIMARY KEY (site, name)) WITHOUT ROWID;
"""


class KnowledgeFile:
    """Read only; a process opens its own."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        self._sites: OrderedDict[str, SiteBlocks] = OrderedDict()
        self._bytes = 0

    def pages(self, facts: Sequence[PageFacts]) -> dict[int, tuple[int, bool] | None]:
        """By place: the number of the distinct page that each page is, and whether that is an article.

        None where a newer page with the same URL takes its place.
        """
        newest = newest_places(self._file, facts)
        clusters = cluster_of(self._file, facts)
        return {
            page.place: clusters.get(page.number, (page.number, page.article))
            if newest[page.number] == page.place
            else None
            for page in facts
        }

    def site(self, name: str) -> SiteBlocks:
        """What is known of a site; the last ones stay read."""
        known = self._sites.pop(name, None)
        if known is None:
            found = self._file.execute("SELECT blocks FROM sites WHERE site = ?", (encoded(name),)).fetchone()
            notes = self._file.execute("SELECT name, note FROM notes WHERE site = ?", (encoded(name),)).fetchall()
            known = SiteBlocks.unpack(found[0], dict(notes)) if found else SiteBlocks()
            self._bytes += known.size
        self._sites[name] = known
        while self._bytes > KEPT_BYTES and len(self._sites) > 1:
            _, oldest = self._sites.popitem(last=False)
            self._bytes -= oldest.size
        return known

    def close(self) -> None:
        self._file.close()


def encoded(text: str) -> str:
    """A name as a database takes it."""
    return text.encode("utf-8", "replace").decode()


def newest_places(file: sqlite3.Connection, facts: Iterable[PageFacts]) -> dict[int, int]:
    """By number: where the newest page with the URL lies."""
    numbers = [page.number for page in facts]
    found: dict[int, int] = {}
    for chunk in _chunks(numbers):
        marks = ",".join("?" * len(chunk))
        found.update(file.execute(f"SELECT number, place FROM captures WHERE number IN ({marks})", chunk))
    return found


def cluster_of(file: sqlite3.Connection, facts: Iterable[PageFacts]) -> dict[int, tuple[int, bool]]:
    """Of those that have copies, or are some: the number of the distinct page, and whether it is an article."""
    numbers = [page.number for page in facts]
    found: dict[int, tuple[int, bool]] = {}
    for chunk in _chunks(numbers):
        marks = ",".join("?" * len(chunk))
        rows = file.execute(f"SELECT number, leader, article FROM clusters WHERE number IN ({marks})", chunk)
        found.update({number: (leader, bool(article)) for number, leader, article in rows})
    return found


def _chunks(numbers: list[int]) -> Iterable[list[int]]:
    return (numbers[start : start + _AT_ONCE] for start in range(0, len(numbers), _AT_ONCE))
