"""What is done with one part of an archive in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.fingerprints.article_signature import Signature
from cleancrawl.scale.archive.article_files import ArticleRows
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.first_pass import RECORDS, Draft, PageFacts, first_pass
from cleancrawl.scale.archive.knowledge_file import KnowledgeFile
from cleancrawl.scale.archive.part_files import Failure, FirstPart, Found, SecondPart, WorkFiles
from cleancrawl.scale.archive.second_pass import second_pass
from cleancrawl.scale.archive.site_blocks import Answer, OwnPage

DIED = "the process that cleaned it died"


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages that lie side by side in one file of an archive."""

    part: int
    archive: str
    file: int
    """Number of the file."""
    first: int
    """Number of the first page in it."""
    pages: list[SavedPage] = field(repr=False)
    sizes: list[int] = field(default_factory=list, repr=False)
    bodies: Path | None = None
    """The file that the bodies of the pages are in, one after another, of these sizes; None where pages have theirs.
    When the part is done, the bodies of another one are written there."""
    deadly: frozenset[int] = frozenset()
    """Which of them are left alone, since processes die of them."""

    def whole(self) -> Iterator[SavedPage]:
        """The pages with their bodies, one by one."""
        if self.bodies is None:
            yield from self.pages
            return
        with self.bodies.open("rb") as file:
            for page, size in zip(self.pages, self.sizes, strict=True):
                yield replace(page, body=file.read(size))


@dataclass(frozen=True, slots=True)
class FirstWork:
    """The first pass over a part; the files are its result."""

    files: WorkFiles
    options: BulkOptions

    def __call__(self, task: Pages) -> int:
        made, states = FirstPart(), list[bytes]()
        for index, saved in enumerate(task.whole()):
            record = task.first + index
            if index in task.deadly:
                made.failures.append(Failure(saved.url, task.archive, record, "first pass", DIED))
                continue
            try:
                draft = first_pass(saved, task.file << RECORDS | record, self.options)
            except Exception as error:  # whatever it is, the pages after it are to be cleaned
                made.failures.append(Failure(saved.url, task.archive, record, "first pass", named(error)))
                continue
            if isinstance(draft, Draft):
                made.facts.append(draft.facts)
                states.append(draft.state)
            else:
                made.skipped[draft] += 1
        self.files.write_first(task.part, made, states)
        return len(task.pages)


@dataclass(frozen=True, slots=True)
class Trial:
    """The first pass over one page, of which nothing is left: does a process survive it?"""

    options: BulkOptions

    def __call__(self, page: SavedPage) -> None:
        try:
            first_pass(page, 0, self.options)
        except Exception:
            return


@dataclass(frozen=True, slots=True)
class Part:
    number: int
    archives: tuple[str, ...] = ()
    """Names of the files, by their numbers."""
    deadly: frozenset[int] = frozenset()
    """Places of pages that are left alone, since processes die of them."""
    only: int | None = None
    """The place of a page that is tried alone; nothing is written then."""


@dataclass(frozen=True, slots=True)
class SecondWork:
    """The second pass over a part; the files are its result."""

    files: WorkFiles
    options: BulkOptions
    stamp: int = 0
    """Of the file of knowledge: one that was made anew is opened anew."""

    def __call__(self, task: Part) -> int:
        first, made = self.files.read_first(task.number), SecondPart()
        knowledge = opened(self.files.knowledge, self.stamp)
        own = {place: None if page is None else OwnPage(*page) for place, page in knowledge.pages(first.facts).items()}
        asked = Questions(knowledge, [facts for facts in first.facts if task.only in (None, facts.place)], own)
        rows = ArticleRows()
        states = self.files.read_states(task.number, first.places)
        for facts, state in zip(first.facts, states, strict=True):
            page = own[facts.place]
            if page is None:
                made.dropped["fetched-again"] += 1
            elif facts.place in task.deadly:
                made.failures.append(_failure(task, facts, DIED))
            elif task.only in (None, facts.place):
                try:
                    site, answer = knowledge.site(facts.site), asked.answer(facts)
                    outcome = second_pass(facts, state, site, page, self.options, answer)
                except Exception as error:  # whatever it is, the pages after it are to be cleaned
                    made.failures.append(_failure(task, facts, named(error)))
                    continue
                if outcome.article is None:
                    made.dropped[outcome.reason] += 1
                    continue
                rows.add(outcome.article)
                made.found.append(found_article(facts, outcome.article, outcome.signature))
        if task.only is None:
            rows.write(self.files.articles(task.number))
            self.files.write_second(task.number, made)
        return len(first.facts)


class Questions:
    """What sites say of the pages of a part: all pages of a site ask when the first of them does."""

    def __init__(self, knowledge: KnowledgeFile, pages: Sequence[PageFacts], own: Mapping[int, OwnPage | None]) -> None:
        self._knowledge = knowledge
        self._waiting: dict[str, list[tuple[PageFacts, OwnPage]]] = {}
        self._answers: dict[int, Answer] = {}
        for facts in pages:
            page = own[facts.place]
            if page is not None:
                self._waiting.setdefault(facts.site, []).append((facts, page))

    def answer(self, facts: PageFacts) -> Answer:
        """To be asked for once."""
        if facts.site in self._waiting:
            pages = self._waiting.pop(facts.site)
            answers = self._knowledge.site(facts.site).answers(pages)
            self._answers.update((asking.place, answer) for (asking, _), answer in zip(pages, answers, strict=True))
        return self._answers.pop(facts.place)


def found_article(facts: PageFacts, article: ArticleRecord, told: Signature | None) -> Found:
    canonical = article.get("canonical_url") or ""
    return Found(facts.number, facts.date, facts.place, facts.url, told, canonical, article.get("published"))


def _failure(task: Part, facts: PageFacts, reason: str) -> Failure:
    file, record = facts.place >> RECORDS, facts.place & ((1 << RECORDS) - 1)
    return Failure(facts.url, task.archives[file], record, "second pass", reason)


@lru_cache(maxsize=1)
def opened(path: Path, stamp: int) -> KnowledgeFile:
    """What is known of the sites, opened once per process."""
    return KnowledgeFile(path)


def named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
