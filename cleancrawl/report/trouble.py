"""What is wrong with a site, told by how its newest articles differ from those before them.

Each detector is a frozen dataclass whose fields are its thresholds. They compare the newest runs that together have
enough articles with all runs before; chance alone should name less than one healthy site in a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median

from cleancrawl.report.run_history import SiteHistory, SiteRun
from cleancrawl.report.site_tally import SiteTally

ENOUGH_NEW, ENOUGH_BEFORE = 12, 15
"""Articles that are compared, at least."""
NO_FAULTS = frozenset({"robots.txt", "left-out", "http-404", "http-410", "gone"})
"""Outcomes of requests that a healthy site has, too."""


@dataclass(frozen=True, slots=True)
class Finding:
    site: str
    kind: str
    evidence: str
    examples: tuple[str, ...] = ()


KINDS = {
    "stopped": "No articles any more",
    "failing": "Most requests fail",
    "shrunk": "Texts are suddenly shorter",
    "grown": "Texts are suddenly longer",
    "same-text": "One text at many addresses",
    "undated": "Dates went missing",
    "unsigned": "Authors went missing",
    "leaks": "The same sentence in many articles",
}
"""In the order of a report."""

HINTS = {
    "stopped": "a redesign, a consent wall, a block, or the end of the site",
    "failing": "a block, a move, or an outage",
    "shrunk": "a paywall, a consent wall, or a redesign",
    "grown": "comments or teasers taken for text, or a redesign",
    "same-text": "a consent wall, a log-in page, or an error page that answers with 200",
    "undated": "a redesign: the pages say when in another way, or no more",
    "unsigned": "a redesign: the pages name who wrote them in another way, or no more",
    "leaks": "comments, teasers, newsletter boxes or notices that were taken for text",
}
"""What is usually behind it."""


@dataclass(frozen=True, slots=True)
class Windows:
    """The newest runs of a site that together have enough articles, and all before them."""

    history: SiteHistory
    new: SiteTally
    before: SiteTally
    since: str
    """The day on which the newest of them began."""

    @classmethod
    def of(cls, history: SiteHistory) -> Windows:
        new, cut = SiteTally(), len(history.runs)
        while cut and new.articles < ENOUGH_NEW:
            cut -= 1
            new.merge(history.runs[cut].counts)
        before = SiteTally.of(*(run.counts for run in history.runs[:cut]))
        return cls(history, new, before, shown_day(history.runs[cut].started) if history.runs else "")

    @property
    def comparable(self) -> bool:
        return self.new.articles >= ENOUGH_NEW and self.before.articles >= ENOUGH_BEFORE


def findings_of(history: SiteHistory) -> list[Finding]:
    """What all detectors find, in the order of ``KINDS``."""
    windows = Windows.of(history)
    found = []
    for kind in KINDS:
        evidence = DETECTORS[kind](windows)
        if evidence is not None:
            found.append(Finding(history.site, kind, evidence[0], tuple(evidence[1:])))
    return found


Evidence = tuple[str, ...]
"""A sentence, then example URLs."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A site that used to give articles gives none, for longer than chance explains."""

    least_expected: float = 8.0
    """Articles that should have come meanwhile."""
    least_runs: int = 2
    """With articles, before."""

    def __call__(self, windows: Windows) -> Evidence | None:
        runs = windows.history.runs
        silent = _silent_end(runs)
        gave = runs[: len(runs) - silent]
        if not silent or len([run for run in gave if run.tally.articles]) < self.least_runs:
            return None
        # The first run of a site finds all that is there, later ones what is new.
        usual = median([run.tally.articles for run in gave[1:]])
        gap = median([later.started - run.started for run, later in pairwise(gave)])
        waited = (runs[-1].started - gave[-1].started) / gap if gap else silent
        if usual * min(waited, silent) < self.least_expected:
            return None
        end = SiteTally.of(*(run.counts for run in runs[len(gave) :]))
        given = f"about {usual:g} a run before, none in the last {silent:,}, since {shown_day(gave[-1].started)}"
        return (f"{given}; {_instead(end)}", *_examples(end))


@dataclass(frozen=True, slots=True)
class Failing:
    """Most requests of the newest run came back with nothing."""

    share: float = 0.5
    least: int = 8

    def __call__(self, windows: Windows) -> Evidence | None:
        if not windows.history.runs:
            return None
        newest = windows.history.runs[-1].tally
        failed = {reason: count for reason, count in newest.errors.counts.items() if reason not in NO_FAULTS}
        total = sum(failed.values())
        if total < self.least or total < self.share * (total + newest.pages):
            return None
        named = ", ".join(f"{reason} {count:,}" for reason, count in sorted(failed.items(), key=lambda each: -each[1]))
        urls = [url for reason in failed for url in newest.errors.urls.get(reason, ())]
        return (f"{total:,} of {total + newest.pages:,} requests of the last run failed: {named}", *urls[:2])


@dataclass(frozen=True, slots=True)
class Resized:
    """The middle article has become much longer or shorter."""

    longer: bool
    factor: float = 2.0
    least_words: int = 80

    def __call__(self, windows: Windows) -> Evidence | None:
        if not windows.comparable:
            return None
        now, then = windows.new.median_words, windows.before.median_words
        low, high = (then, now) if self.longer else (now, then)
        if high < self.factor * low or high - low < self.least_words:
            return None
        return (f"the middle article has about {now:,} words since {windows.since}, {then:,} before",)


@dataclass(frozen=True, slots=True)
class SameText:
    """Articles are copies of each other, which they were not."""

    share: float = 0.5
    share_before: float = 0.15

    def __call__(self, windows: Windows) -> Evidence | None:
        new, before = windows.new, windows.before
        if not windows.comparable or new.duplicates < self.share * new.articles:
            return None
        if before.duplicates > self.share_before * before.articles:
            return None
        return (
            f"{new.duplicates:,} of {new.articles:,} articles repeat another since {windows.since}, "
            f"{before.duplicates:,} of {before.articles:,} before",
        )


@dataclass(frozen=True, slots=True)
class Missing:
    """Most articles had it; now few have."""

    what: str
    count: Callable[[SiteTally], int]
    usual: float = 0.7
    left: float = 0.4
    """Of the usual share."""

    def __call__(self, windows: Windows) -> Evidence | None:
        if not windows.comparable:
            return None
        then = self.count(windows.before) / windows.before.articles
        now = self.count(windows.new) / windows.new.articles
        if then < self.usual or now > self.left * then:
            return None
        return (f"{now:.0%} of the articles have {self.what} since {windows.since}, {then:.0%} had before",)


@dataclass(frozen=True, slots=True)
class Leaks:
    """A sentence stands in many articles that are not the same article."""

    share: float = 0.25
    least: int = 6

    def __call__(self, windows: Windows) -> Evidence | None:
        articles = windows.new.new
        for sentence, count in windows.new.sentences.most_common()[:1]:
            if count >= self.least and count >= self.share * articles:
                times = f"in {min(count, articles):,} of {articles:,} new articles since {windows.since}"
                return (f"“{sentence}” stands {times}",)
        return None


DETECTORS: dict[str, Callable[[Windows], Evidence | None]] = {
    "stopped": Stopped(),
    "failing": Failing(),
    "shrunk": Resized(longer=False),
    "grown": Resized(longer=True),
    "same-text": SameText(),
    "undated": Missing("a date", lambda tally: tally.dated),
    "unsigned": Missing("an author", lambda tally: tally.authored),
    "leaks": Leaks(),
}


def shown_day(moment: float) -> str:
    """
    >>> shown_day(1_700_000_000)
    '2023-11-14'
    """
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _silent_end(runs: Sequence[SiteRun]) -> int:
    """How many of the last runs gave no article."""
    silent = 0
    for run in reversed(runs):
        if run.tally.articles:
            break
        silent += 1
    return silent


def _instead(end: SiteTally) -> str:
    dropped, failed = end.dropped.counts, end.errors.counts
    if end.pages and dropped:
        return f"{end.pages:,} pages were read and dropped, mostly as {dropped.most_common(1)[0][0]}"
    if failed:
        reason, count = failed.most_common(1)[0]
        return f"no page could be read: {reason} {count:,}"
    return "no page was found"


def _examples(end: SiteTally) -> list[str]:
    reasons = end.dropped if end.dropped.counts else end.errors
    return [url for reason, _ in reasons.counts.most_common(1) for url in reasons.urls.get(reason, ())][:2]
