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
    rows_of_pages,
    union_rows,
)
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.scale.archive.knowledge_file import SCHEMA, cluster_of, encoded, newest_places
from cleancrawl.scale.archive.part_files import WorkFiles
from cleancrawl.scale.archive.paused_pages import PausedPage
from cleancrawl.scale.archive.row_files import RowFiles
from cleancrawl.scale.archive.second_pass import SAMPLE_PAGES, site_notes

_SCRATCH = """
CREATE TABLE blocks (site INTEGER, rows BLOB);
CREATE TABLE site_pages (number INTEGER PRIMARY KEY, site TEXT UNIQUE, pages INTEGER);
CREATE TABLE members (leader INTEGER, place INTEGER, facts BLOB);
CREATE TABLE samples (site TEXT, hash INTEGER, place INTEGER, part INTEGER, start INTEGER, end INTEGER, url TEXT);
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
        self._blocks_in_all = 0

    def find_captures(self) -> None:
        """Of pages with the same URL the newest counts."""
        for part in range(self.parts):
            facts = self.files.read_first(part).facts
            self._blocks_in_all += sum(len(page.long) for page in facts)
            rows = [(page.number, page.date, page.place) for page in facts]
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
        texts.find_copies()
        for number, leader in texts.leaders():
            self._file.executemany(
                "INSERT OR IGNORE INTO clusters VALUES (?, ?, 0)", [(number, leader), (leader, leader)]
            )
        texts.close()
        path.unlink()

    def count(self) -> None:
        """Count every block of every distinct page."""
        self._rows = RowFiles(self.files.root, self._blocks_in_all)
        for part, facts in self._newest():
            clusters = cluster_of(self._file, facts)
            by_site: dict[str, list[PageFacts]] = {}
            for page in facts:
                if page.number in clusters:
                    member = (clusters[page.number][0], page.place, pickle.dumps(page, 5))
                    self._file.execute("INSERT INTO members VALUES (?, ?, ?)", member)
                else:
                    by_site.setdefault(page.site, []).append(page)
            for site, pages in by_site.items():
                self._add(site, rows_of_pages(pages), len(pages))
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
        (number,) = self._file.execute(
            "INSERT INTO site_pages (site, pages) VALUES (?, ?)"
            " ON CONFLICT (site) DO UPDATE SET pages = pages + excluded.pages RETURNING number",
            (encoded(site), pages),
        ).fetchone()
        self._rows.add(number, rows)

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
        self._file.executemany(
            "INSERT INTO blocks VALUES (?, ?)", ((site, rows.tobytes()) for site, rows in self._rows.summed())
        )
        self._file.execute("CREATE INDEX scratch.blocks_site ON blocks (site)")
        for number, name, count in self._file.execute("SELECT number, site, pages FROM site_pages ORDER BY number"):
            packed = packed_site(self._blocks(number, most), count)
            self._file.execute("INSERT INTO sites VALUES (?, ?)", (name, packed))

    def _blocks(self, site: int, most: int) -> Rows:
        """The blocks of a site; where they are too many those on most pages. Read twice: few of many may stay."""
        (size,) = self._file.execute("SELECT sum(length(rows)) FROM blocks WHERE site = ?", (site,)).fetchone()
        if (size or 0) <= most * ROW.itemsize:
            return combined(list(self._parts(site)))
        histogram: Counter[int] = Counter()
        for rows in self._parts(site):
            pages, counts = np.unique(rows["articles"] + rows["others"], return_counts=True)
            histogram.update(dict(zip(pages.tolist(), counts.tolist(), strict=True)))
        least = least_pages(histogram, most)
        kept = [rows[rows["articles"] + rows["others"] >= least] for rows in self._parts(site)]
        # Those of one file were added up there.
        return kept[0] if len(kept) == 1 else combined(kept)

    def _parts(self, site: int) -> Iterator[Rows]:
        for (rows,) in self._file.execute("SELECT rows FROM blocks WHERE site = ?", (site,)):
            yield np.frombuffer(rows, ROW)

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
