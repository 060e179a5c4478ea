"""The runs of a store, site by site: only one site's history is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from cleancrawl.report.site_tally import SiteTally
from cleancrawl.stores.protocol import Outbox, RunCounts, RunRow, Store

PART = "/"
"""What follows it in the name of a run tells the parts of one run apart."""
ARTICLES = 200
"""Read from the store at once."""


@dataclass(frozen=True, slots=True)
class SiteRun:
    """What one run has counted on a site."""

    run: str
    started: float
    tally: SiteTally
    counts: RunCounts
    """What the tally was made of: to be added up with those of other runs."""

    @classmethod
    def of(cls, run: str, started: float, parts: Sequence[RunCounts]) -> SiteRun:
        tally = SiteTally.of(*parts)
        return cls(run, started, tally, parts[0] if len(parts) == 1 else tally.to_counts())


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One run as a whole."""

    run: str
    started: float
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SiteHistory:
    site: str
    stored: int
    """Articles in the store."""
    runs: list[SiteRun]
    """Oldest first."""


def histories(store: Store) -> Iterator[list[RunFacts] | SiteHistory]:
    """First the runs, oldest first; then the history of every site, by name.

    Of a site without counts, of a time before cleancrawl kept them, the articles are read and counted by day.
    """
    stored = store.article_counts()
    rows = groupby(store.runs(), key=attrgetter("site"))
    site, group = next(rows, ("", iter(())))
    if site == "":
        yield [RunFacts(row.run, row.started, row.counts) for row in group]
        site, group = next(rows, ("", iter(())))
    else:
        yield []
    for name in sorted(stored):
        while site and site < name:  # a site of which nothing was stored
            yield SiteHistory(site, 0, _joined(group))
            site, group = next(rows, ("", iter(())))
        if site == name:
            yield SiteHistory(name, stored[name], _joined(group))
            site, group = next(rows, ("", iter(())))
        elif found := days_of(store, name):
            yield SiteHistory(name, stored[name], found)
    while site:
        yield SiteHistory(site, 0, _joined(group))
        site, group = next(rows, ("", iter(())))


def _joined(rows: Iterator[RunRow]) -> list[SiteRun]:
    """The parts of a run as one."""
    runs: dict[str, tuple[float, list[RunCounts]]] = {}
    for row in rows:
        runs.setdefault(row.run.partition(PART)[0], (row.started, []))[1].append(row.counts)
    return [SiteRun.of(name, *run) for name, run in runs.items()]


def days_of(store: Outbox, site: str) -> list[SiteRun]:
    """What was recorded of a site, a day as a run."""
    days: dict[str, tuple[float, SiteTally]] = {}
    after = 0
    while entries := store.articles(after, ARTICLES, site):
        after = entries[-1].cursor
        for entry in entries:
            if entry.article is not None:
                day = datetime.fromtimestamp(entry.recorded, UTC).date().isoformat()
                tally = days.setdefault(day, (entry.recorded, SiteTally()))[1]
                tally.add_page(entry.recorded, entry.article, None)
                tally.add_article(entry.article, entry.recorded, new=entry.version == 1)
    return [SiteRun(day, moment, tally, tally.to_counts()) for day, (moment, tally) in sorted(days.items())]
