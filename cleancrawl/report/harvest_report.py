"""What came of the runs of a store, and what is wrong with its sites, as one HTML file."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.report.charts import Bars, sparkline
from cleancrawl.report.run_history import RunFacts, SiteHistory, histories
from cleancrawl.report.site_tally import DELAYS, EARLIER, SiteTally, words_of
from cleancrawl.report.templating import render
from cleancrawl.report.trouble import HINTS, KINDS, NO_FAULTS, Finding, findings_of, shown_day
from cleancrawl.stores.protocol import Store
from cleancrawl.version import __version__

MOST_SITES, MOST_DETAILS = 3000, 1000
"""Rows of the table of sites, and sites that are shown one by one; those in trouble first, then the largest."""
MOST_RUNS = 60
SPARK_RUNS = 30
SITE_RUNS = 10
"""Runs of a site that are shown one by one, the newest."""
DAYS = 60
SHOWN_RULES = 12


@dataclass(frozen=True, slots=True)
class SiteSummary:
    site: str
    number: int
    """Names its place in the file."""
    stored: int
    runs: int
    tally: SiteTally
    seconds: float
    """From the first page to the last, over all runs."""
    line: str
    """Articles of its last runs, as the points of a line."""
    findings: tuple[Finding, ...]
    last: tuple[tuple[str, int, int, int, int], ...] = ()
    """Its last runs, newest first: day, pages, articles, words of the middle article, requests that failed."""

    @property
    def words_per_page(self) -> int:
        return round(self.tally.words / self.tally.pages) if self.tally.pages else 0

    @property
    def failed(self) -> int:
        """Requests that should have given a page and did not."""
        return _failed(self.tally)

    @property
    def pages_per_minute(self) -> float:
        return 60 * self.tally.pages / self.seconds if self.seconds > 1 else 0.0


@dataclass(slots=True)
class Harvest:
    """All that a report shows, added up site by site."""

    since: float = 0.0
    """Figures are those of runs from then on; what is wrong is told by all runs."""
    runs: list[RunFacts] = field(default_factory=list)
    sites: list[SiteSummary] = field(default_factory=list)
    total: SiteTally = field(default_factory=SiteTally)
    per_run: Counter[str] = field(default_factory=Counter)
    """Articles by the day on which they were harvested."""
    findings: list[Finding] = field(default_factory=list)
    stored: int = 0

    def add(self, history: SiteHistory) -> None:
        shown = [run for run in history.runs if run.started >= self.since]
        if not shown:
            return
        tally, seconds = SiteTally(), 0.0
        for run in shown:
            tally.merge(run.counts)
            seconds += run.tally.last - run.tally.first
            self.per_run[datetime.fromtimestamp(run.started, UTC).date().isoformat()] += run.tally.articles
        # Sentences of all sites together say nothing.
        self.total.merge({name: value for name, value in tally.to_counts().items() if name != "sentences"})
        found = findings_of(history)
        self.findings += found
        self.stored += history.stored
        line = sparkline([run.tally.articles for run in shown[-SPARK_RUNS:]])
        last = [(shown_day(run.started), *_figures(run.tally)) for run in shown[: -SITE_RUNS - 1 : -1]]
        number = len(self.sites)
        self.sites.append(
            SiteSummary(
                history.site, number, history.stored, len(shown), tally, seconds, line, tuple(found), tuple(last)
            )
        )


def _figures(tally: SiteTally) -> tuple[int, int, int, int]:
    return tally.pages, tally.articles, tally.median_words, _failed(tally)


def _failed(tally: SiteTally) -> int:
    return sum(count for reason, count in tally.errors.counts.items() if reason not in NO_FAULTS)


def gather(store: Store, since: float = 0.0) -> Harvest:
    harvest = Harvest(since)
    for part in histories(store):
        if isinstance(part, SiteHistory):
            harvest.add(part)
        else:
            harvest.runs = [run for run in part if run.started >= since]
    harvest.sites.sort(key=lambda site: (not site.findings, -site.tally.articles, site.site))
    return harvest


def write_report(store: Store, path: Path, *, name: str, since: float = 0.0) -> Harvest:
    """Write the report of a store to a file; ``name`` is what the store is called in it."""
    harvest = gather(store, since)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_html(harvest, name, since), "utf-8")
    return harvest


def as_html(harvest: Harvest, name: str, since: float = 0.0, now: float | None = None, home: str | None = None) -> str:
    """The report as a page; ``home`` is where its head leads to, on a server."""
    moment = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    kinds = [(kind, KINDS[kind], HINTS[kind], [one for one in harvest.findings if one.kind == kind]) for kind in KINDS]
    return render(
        "harvest.html",
        store=without_password(name),
        made=moment,
        since=datetime.fromtimestamp(since, UTC) if since else None,
        version=__version__,
        harvest=harvest,
        total=harvest.total,
        trouble=[group for group in kinds if group[3]],
        numbers={site.site: site.number for site in harvest.sites[:MOST_DETAILS]},
        names=KINDS,
        sites=harvest.sites[:MOST_SITES],
        details=harvest.sites[:MOST_DETAILS],
        runs=[_run(run) for run in reversed(harvest.runs[-MOST_RUNS:])],
        charts=_charts(harvest, moment.date()),
        sizes=_sizes(harvest.total),
        delays=[(label, harvest.total.delays.get(label, 0)) for label in DELAYS],
        shown_rules=SHOWN_RULES,
        home=home,
    )


def _charts(harvest: Harvest, today: date) -> list[Bars]:
    harvested = sorted(harvest.per_run.items())[-DAYS:]
    published = harvest.total.published
    newest = max((day for day in published if day != EARLIER), default="")
    # Up to today, so that one sees when nothing came of late; old articles have their own days.
    last = today if newest >= (today - timedelta(days=DAYS)).isoformat() else date.fromisoformat(newest or "2000-01-01")
    days = [(last - timedelta(days=back)).isoformat() for back in range(min(DAYS, last.toordinal()) - 1, -1, -1)]
    first = next((place for place, day in enumerate(days) if published.get(day)), None)
    charts = [Bars.of("Articles by day of the run", "articles", harvested)] if harvested else []
    if first is not None:
        shown = [(day, published.get(day, 0)) for day in days[first:]]
        earlier = sum(published.values()) - sum(count for _, count in shown)
        note = f"; {earlier:,} on earlier days" if earlier > 0 else ""
        charts.append(Bars.of(f"Articles by day of publication{note}", "articles", shown))
    return charts


def _sizes(total: SiteTally) -> list[tuple[str, int]]:
    """Articles by their words, an octave a row."""
    octaves: Counter[int] = Counter()
    for size, count in total.sizes.items():
        octaves[max(words_of(size), 1).bit_length() - 1] += count
    if not octaves:
        return []
    return [(f"{2**octave:,} to {2 ** (octave + 1) - 1:,}", octaves[octave]) for octave in _span(octaves)]


def _span(octaves: Counter[int]) -> range:
    return range(min(octaves), max(octaves) + 1)


def _run(run: RunFacts) -> dict[str, Any]:
    facts = run.facts
    seconds = float(facts.get("seconds") or 0)
    pages = int(facts.get("pages") or 0)
    return {
        "name": str(facts.get("name") or ""),
        "started": datetime.fromtimestamp(run.started, UTC),
        "sort": run.started,
        "ended": facts.get("ended"),
        "seconds": seconds,
        "speed": 60 * pages / seconds if seconds else 0.0,
        **{
            name: int(facts.get(name) or 0)
            for name in ("requests", "pages", "articles", "duplicates", "withdrawn", "bytes")
        },
    }
