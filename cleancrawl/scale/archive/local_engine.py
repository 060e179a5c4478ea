"""``--engine local``: an archive on all cores of one machine.

The archives are read here, one record after another, and handed out in parts; whatever takes long is done by other
processes. Every step leaves whole files, so that a run that was killed goes on with what is missing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from cleancrawl.corpus.card import Counts
from cleancrawl.corpus.parquet_file import load_pyarrow
from cleancrawl.scale.archive.article_files import StoryWork, Volume, VolumeWork
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.bulk_run import ARTICLES, FAILED, WORK, Manifest, OnProgress, Summary, write_cards
from cleancrawl.scale.archive.part_files import WorkFiles, write_json
from cleancrawl.scale.archive.part_reader import PART_PAGES, Reader
from cleancrawl.scale.archive.part_work import FirstWork, Pages, Part, SecondWork, Trial
from cleancrawl.scale.archive.second_pass import takes_notes
from cleancrawl.scale.archive.site_reduction import NoteWork, Reduction, SamplePages
from cleancrawl.scale.archive.worker_pool import Workers, deadly

VOLUME_PARTS = 40
"""Parts whose articles make up one file: up to 10,240."""


def _silent(what: str, more: int, total: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class LocalRun:
    """One run. ``jobs`` processes do the work; with one everything happens here."""

    paths: Sequence[Path]
    out: Path
    options: BulkOptions = field(default_factory=BulkOptions)
    jobs: int = 1
    made: dict[str, Any] = field(default_factory=dict)
    """How the result was made, for its card."""
    part_pages: int = PART_PAGES
    on_progress: OnProgress = _silent
    on_trouble: Callable[[str], object] = print

    @property
    def files(self) -> WorkFiles:
        return WorkFiles(self.out / WORK)

    def run(self) -> Summary:
        """Clean the archives into the directory; killed at any moment, the next run gives the same files."""
        load_pyarrow()
        _ = self.options.made_recipe
        manifest = Manifest.of(self.paths, self.options, self.part_pages)
        finished = manifest.begin(self.out)
        if finished is not None:
            return finished
        with closing(Workers(self.jobs)) as workers:
            summary = Summary(troubles=self._first_pass(workers))
            parts: int = json.loads(self.files.reading.read_text("utf-8"))["parts"]
            self._reduce(parts, workers)
            self._second_pass(parts, workers)
            self._write(parts, summary, workers)
        manifest.end(self.out, summary)
        shutil.rmtree(self.files.root)
        return summary

    def _first_pass(self, workers: Workers) -> list[str]:
        """Every page alone; what the reader has complained of."""
        if not self.files.reading.exists():
            # As many parts are under way as there are files for them.
            handed_over = workers.most_under_way if self.jobs > 1 else 0
            reader = Reader(self.paths, self.files, self.part_pages, handed_over, self.on_progress, self.on_trouble)
            for _ in workers.done(reader.missing(), self._first_work, self._bereft):
                """The files are the result."""
            for number in range(handed_over):
                self.files.bodies(number).unlink(missing_ok=True)
            write_json(self.files.reading, {"parts": reader.parts, "troubles": reader.troubles})
        read = json.loads(self.files.reading.read_text("utf-8"))
        return list(read["troubles"])

    @property
    def _first_work(self) -> FirstWork:
        return FirstWork(self.files, self.options)

    def _bereft(self, task: Pages) -> int:
        """A part in which a page kills its process: the page is found and left out, the others are cleaned."""
        found = deadly(task.whole(), Trial(self.options))
        return self._first_work(replace(task, deadly=frozenset(found or range(len(task.pages)))))

    def _reduce(self, parts: int, workers: Workers) -> None:
        """From the facts of all pages to the knowledge of their sites."""
        if self.files.knowledge.exists():
            return
        steps = 5
        reduction = Reduction(self.files, parts)
        for step in (reduction.find_captures, reduction.find_copies, reduction.count, reduction.pack_sites):
            step()
            self.on_progress("steps", 1, steps)
        if takes_notes(self.options):
            work = NoteWork(self.files, self.options)
            reduction.add_notes(workers.done(reduction.samples(), work, _no_notes))
        reduction.finish()
        self.on_progress("steps", 1, steps)

    def _second_pass(self, parts: int, workers: Workers) -> None:
        """Every page with the knowledge of its site."""
        names = tuple(str(path) for path in self.paths)
        work = SecondWork(self.files, self.options, self.files.knowledge.stat().st_mtime_ns)
        missing = [Part(part, names) for part in range(parts) if not self.files.second(part).exists()]
        self.on_progress("parts", parts - len(missing), parts)
        for _ in workers.done(missing, work, partial(self._bereft_again, work)):
            self.on_progress("parts", 1, parts)

    def _bereft_again(self, work: SecondWork, task: Part) -> int:
        places = [facts.place for facts in self.files.read_first(task.number).facts]
        found = deadly([replace(task, only=place) for place in places], work)
        return work(replace(task, deadly=frozenset(places[index] for index in found) or frozenset(places)))

    def _write(self, parts: int, summary: Summary, workers: Workers) -> None:
        """Find the same stories, and put the articles into their files."""
        # In another process, which has what is asked about hosts, and gives its memory back.
        (summary.duplicates,) = workers.done([parts], StoryWork(self.files), _no_stories)
        self._write_failures(parts, summary)
        directory = self.out / ARTICLES
        directory.mkdir(exist_ok=True)
        volumes = (
            Volume(number, tuple(range(start, min(start + VOLUME_PARTS, parts))))
            for number, start in enumerate(range(0, parts, VOLUME_PARTS))
        )
        counts, work = Counts(), VolumeWork(self.files, directory, self.options.drop_duplicates)
        for part in workers.done(volumes, work, _no_volume):
            counts.merge(part)
        summary.articles, summary.words, summary.sites = counts.articles, counts.words, len(counts.sites)
        write_cards(self.out, counts, self.made)

    def _write_failures(self, parts: int, summary: Summary) -> None:
        """The side output, and what is counted beside the articles."""
        unfinished = self.out / f"{FAILED}.tmp"
        with unfinished.open("w", encoding="utf-8", errors="replace") as file:
            for part in range(parts):
                first, second = self.files.read_first(part), self.files.read_second(part)
                summary.pages += len(first.facts) + len(first.failures) + first.skipped.total()
                summary.skipped += first.skipped
                summary.dropped += second.dropped
                failures = first.failures + second.failures
                summary.failed += len(failures)
                file.writelines(json.dumps(failure._asdict(), ensure_ascii=False) + "\n" for failure in failures)
        unfinished.replace(self.out / FAILED)


def _no_notes(samples: SamplePages) -> tuple[str, dict[str, str]]:
    """A site that kills its process has no notes."""
    return samples.site, {}


def _no_stories(parts: int) -> int:
    raise ChildProcessError("the process that looked for the same stories died twice")


def _no_volume(volume: Volume) -> Counts:
    raise ChildProcessError(f"the process that wrote file {volume.number} of the articles died twice")
