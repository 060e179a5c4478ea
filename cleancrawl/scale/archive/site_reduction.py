"""Between the passes, on one machine: the facts of all pages become what is known of their sites.

Everything large lies in a file and is sorted there, so that memory does not grow with the archive.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from xxhash import xxh32_intdigest

from cleancrawl.scale.archive.alike import AlikeTexts, Text
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.counting import (
    BLOCKS_PER_SITE,
    ROW,
    Rows,
    combined,
    least_pages,
    packed_site,
    page_rows,
    union_rows,
)
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.scale.archive.knowledge_file import SCHEMA, cluster_of, encoded, newest_places
from cleancrawl.scale.archive.part_files import WorkFiles
from cleancrawl.scale.archive.paused_pages import PausedPage
from cleancrawl.scale.archive.second_pass import SAMPLE_PAGES, site_notes

_SIGNED = np.dtype([(name, "<i8" if ROW[name] == np.dtype("<u8") else ROW[name]) for name in ROW.names or ()])
_SCRATCH = """
CREATE TABLE rows (site TEXT, key INTEGER, near INTEGER, long INTEGER,
                   articles INTEGER, others INTEGER, first INTEGER, last INTEGER);
CREATE TABLE site_pages (site TEXT PRIMARY KEY, pages INTEGER);
CREATE TABLE members (leader INTEGER, place INTEGER, facts BLOB);
CREATE TABLE samples (site TEXT, hash INTEGER, place INTEGER, part INTEGER, start INTEGER, end INTEGER, url TEXT);
"""
_SUMMED = """
CREATE TABLE blocks AS
SELECT site, key, max(near) AS near, max(long) AS long, sum(articles) AS articles, sum(others) AS others,
       min(first) AS first, max(last) AS last
FROM rows GROUP BY site, key HAVING sum(articles) + sum(others) > 1 OR max(long)
"""
_CHOSEN = f"""
SELECT site, part, start, end, url FROM
  (SELECT *, row_number() OVER (PARTITION BY site ORDER BY hash, place) AS rank FROM samples)
WHERE rank <= {SAMPLE_PAGES} ORDER BY site, rank
"""


@dataclass(frozen=True, slots=True)
class SamplePages:
    """The pages of a site that its notes are made of: URL and where its state is."""

    site: str
    pages: list[tuple[str, int, int, int]]


@dataclass(frozen=True, slots=True)
class NoteWork:
    """Makes the notes on a site, here or in another process."""

    files: WorkFiles
    options: BulkOptions

    def __call__(self, samples: SamplePages) -> tuple[str, dict[str, str]]:
        return samples.site, site_notes(samples.site, self._states(samples), self.options)

    def _states(self, samples: SamplePages) -> Iterator[tuple[str, PausedPage]]:
        for url, part, start, end in samples.pages:
            (state,) = self.files.read_states(part, [(start, end)])
            yield url, state


class Reduction:
    """Builds the file of knowledge: to be called step by step, in the order of the methods."""

    def __init__(self, files: WorkFiles, parts: int) -> None:
        self.files, self.parts = files, parts
        self.path = files.knowledge.with_suffix(".unfinished")
        self.scratch = files.root / "reduction.scratch"
        for stale in (self.path, self.scratch):
            stale.unlink(missing_ok=True)
        self._file = _open(self.path)
        self._file.execute("ATTACH ? AS scratch", (str(self.scratch),))
        self._file.executescript("PRAGMA scratch.journal_mode=OFF; PRAGMA scratch.synchronous=OFF;")
        self._file.executescript(SCHEMA + _SCRATCH.replace("CREATE TABLE ", "CREATE TABLE scratch."))
        self._file.execute("BEGIN")

    def find_captures(self) -> None:
        """Of pages with the same URL the newest counts."""
        for part in range(self.parts):
            rows = [(page.number, page.date, page.place) for page in self.files.read_first(part).facts]
            self._file.executemany(
                "INSERT INTO captures VALUES (?, ?, ?) ON CONFLICT (number) DO UPDATE SET date = excluded.date,"
                " place = excluded.place WHERE (excluded.date, excluded.place) > (date, place)",
                rows,
            )

    def find_copies(self) -> None:
        """Pages of a site that are copies of one another are one page."""
        path = self.files.root / "copies.scratch"
        path.unlink(missing_ok=True)
        texts = AlikeTexts(path)
        for _, facts in self._newest():
            texts.add(
                Text(page.number, page.date, page.place, page.url, page.signature, page.content, page.site)
                for page in facts
                if page.signature is not None
            )
        texts.find(copies=True)
        for number, leader in texts.leaders():
            self._file.executemany(
                "INSERT OR IGNORE INTO clusters VALUES (?, ?, 0)", [(number, leader), (leader, leader)]
            )
        texts.close()
        path.unlink()

    def count(self) -> None:
        """Count every block of every distinct page."""
        for part, facts in self._newest():
            clusters = cluster_of(self._file, facts)
            by_site: dict[str, list[Rows]] = {}
            pages: Counter[str] = Counter()
            for page in facts:
                if page.number in clusters:
                    member = (clusters[page.number][0], page.place, pickle.dumps(page, 5))
                    self._file.execute("INSERT INTO members VALUES (?, ?, ?)", member)
                else:
                    by_site.setdefault(page.site, []).append(page_rows(page, page.number, page.article))
                    pages[page.site] += 1
            for site, rows in by_site.items():
                self._add(site, combined(rows), pages[site])
            self._add_samples(part, {page.place for page in facts})
        self._count_copies()

    def _count_copies(self) -> None:
        members = self._file.execute("SELECT leader, facts FROM members ORDER BY leader, place")
        for leader, rows in groupby(members, key=itemgetter(0)):
            pages = [pickle.loads(facts) for _, facts in rows]
            self._add(pages[0].site, union_rows(pages, leader), 1)
            article = any(page.article for page in pages)
            self._file.execute("UPDATE clusters SET article = ? WHERE leader = ?", (article, leader))

    def _add(self, site: str, rows: Rows, pages: int) -> None:
        name = encoded(site)
        signed = np.ascontiguousarray(rows).view(_SIGNED)
        self._file.executemany(
            "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ((name, *row) for row in signed.tolist())
        )
        self._file.execute(
            "INSERT INTO site_pages VALUES (?, ?) ON CONFLICT (site) DO UPDATE SET pages = pages + excluded.pages",
            (name, pages),
        )

    def _add_samples(self, part: int, newest: set[int]) -> None:
        made = self.files.read_first(part)
        rows = [
            (encoded(page.site), _hash(page.url), page.place, part, *where, encoded(page.url))
            for page, where in zip(made.facts, made.places, strict=True)
            if page.place in newest
        ]
        self._file.executemany("INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def pack_sites(self, most: int = BLOCKS_PER_SITE) -> None:
        """Put together what is known of each site."""
        self._file.execute(_SUMMED.replace("TABLE ", "TABLE scratch."))
        least = self._least_pages(most)
        rows = self._file.execute("SELECT * FROM blocks ORDER BY rowid")
        blocks = groupby(rows, key=itemgetter(0))
        site, found = next(blocks, (None, iter(())))
        for name, count in self._file.execute("SELECT site, pages FROM site_pages ORDER BY site"):
            own: list[Any] = []
            if name == site:
                own = [row[1:] for row in found if row[4] + row[5] >= least.get(name, 1)]
                site, found = next(blocks, (None, iter(())))
            packed = packed_site(np.array(own, _SIGNED).view(ROW), count)
            self._file.execute("INSERT INTO sites VALUES (?, ?)", (name, packed))

    def _least_pages(self, most: int) -> dict[str, int]:
        large = self._file.execute("SELECT site FROM blocks GROUP BY site HAVING count(*) > ?", (most,)).fetchall()
        return {
            site: least_pages(
                dict(
                    self._file.execute(
                        "SELECT articles + others, count(*) FROM blocks WHERE site = ? GROUP BY 1", (site,)
                    )
                ),
                most,
            )
            for (site,) in large
        }

    def samples(self) -> Iterator[SamplePages]:
        """The pages that notes are made of, site by site; a page alone tells nobody anything."""
        chosen = self._file.execute(_CHOSEN)
        for site, rows in groupby(chosen, key=itemgetter(0)):
            pages = [(url, part, start, end) for _, part, start, end, url in rows]
            if len(pages) > 1:
                yield SamplePages(site, pages)

    def add_notes(self, notes: Iterable[tuple[str, dict[str, str]]]) -> None:
        for site, found in notes:
            rows = [(site, name, note) for name, note in found.items()]
            self._file.executemany("INSERT INTO notes VALUES (?, ?, ?)", rows)

    def finish(self) -> None:
        """From now on the file is there."""
        self._file.execute("COMMIT")
        self._file.close()
        self.scratch.unlink()
        self.path.replace(self.files.knowledge)

    def _newest(self) -> Iterator[tuple[int, list[PageFacts]]]:
        for part in range(self.parts):
            facts = self.files.read_first(part).facts
            newest = newest_places(self._file, facts)
            yield part, [page for page in facts if newest[page.number] == page.place]


def _hash(url: str) -> int:
    return xxh32_intdigest(url.encode("utf-8", "surrogatepass"))


def _open(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None)
    file.executescript(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE; PRAGMA cache_size=-32000;"
    )
    return file
