"""The list of sites in a store: when each is due, and which worker holds it. A site has one owner at a time.

A worker *takes* a site and has a *lease* of it, renews the lease while it works, and gives the site back. A lease that
is not renewed runs out, and another worker takes the site over. The *token* of a lease is higher than all before it:
a store that is told the token of a writer refuses one whose site was taken over meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from cleancrawl.core.site import registrable_domain
from cleancrawl.errors import LeaseLost

FIRST_WAIT = 3600.0
SHORTEST_WAIT, LONGEST_WAIT = 600.0, 86_400.0
WANTED = 2.0
"""New articles that shall wait at a site when it is looked at again, where its interval adapts."""


@dataclass(frozen=True, slots=True)
class ListedSite:
    """A site that is crawled again and again. Times are those of the store."""

    name: str
    """Its registrable domain, as ``domain_of`` gives it."""
    urls: tuple[str, ...]
    """Where a crawl of it begins."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Arguments of the spider for this site, and ``delay``; as text."""
    interval: float | None = None
    """Seconds from one run to the next; None adapts it to how often the site publishes."""
    paused: bool = False
    outcome: str = ""
    """How the last run ended, in a word or two."""
    ended: float = 0.0
    pages: int = 0
    articles: int = 0
    """New ones and new versions of the last run."""
    rate: float = 0.0
    """New articles per second, the last runs counting most; 0 before the first run."""
    delay: float = 0.0
    """Seconds between two requests as the last run kept them: what robots.txt asks for is known before it is read."""
    rests_until: float = 0.0
    """It is not asked before: the delay after the last request of the last run."""
    due: float | None = None
    """When its next run may begin; None where it is paused or under way."""
    owner: str | None = None
    """Who crawls it now."""
    taken: float | None = None
    until: float | None = None
    """When the lease runs out unless it is renewed."""

    @property
    def state(self) -> str:
        return "under way" if self.owner else "paused" if self.paused else "waiting"

    def to_json(self) -> dict[str, Any]:
        """What is kept as one value; the schedule and the lease are kept beside it."""
        values = asdict(self)
        return {name: values[name] for name in KEPT}


PAST = ("outcome", "ended", "pages", "articles", "rate", "delay", "rests_until")
KEPT = ("urls", "options", "interval", "paused", *PAST)
RUN_FIELDS = ("outcome", "pages", "articles", "rate", "delay")


def from_json(name: str, values: Mapping[str, Any], **more: Any) -> ListedSite:
    known = {key: values[key] for key in KEPT if key in values}
    return ListedSite(name, **{**known, "urls": tuple(known["urls"]), "options": dict(known["options"])}, **more)


@dataclass(frozen=True, slots=True)
class Lease:
    """A site in the hands of one worker."""

    site: ListedSite
    """As it was when it was taken."""
    token: int
    seconds: float
    """How long it holds without being renewed."""
    taken_over: bool = False
    """Whether the last owner's lease ran out: its crawl was cut short a moment ago."""
    delay: float = 0.0
    """Seconds between two requests as the last owner kept them."""
    elapsed: float | None = None
    """Seconds since the end of the last run; None where there was none."""
    rest: float = 0.0
    """Seconds for which the site must still be left alone."""

    @property
    def fence(self) -> Fence:
        return Fence(self.site.name, self.token)


@dataclass(frozen=True, slots=True)
class SiteRun:
    """What became of a site in one run."""

    outcome: str
    whole: bool = True
    """Whether it came to its end; else the site is due again at once."""
    pages: int = 0
    articles: int = 0
    seconds: float = 0.0
    """How long it took."""
    delay: float = 0.0
    """Seconds between two requests, as they were kept."""
    rest: float = 0.0
    """Seconds for which the site must be left alone: the delay after the last request."""


class Fence(NamedTuple):
    """What a writer shows: the site in whose name it writes, and the token of its lease."""

    name: str
    token: int


class Fences(dict[str, Fence]):
    """By registrable domain: under which lease a worker writes what belongs to it."""

    def of(self, site: str) -> Fence:
        """The fence of a site (a domain or a host of it); raises ``LeaseLost`` where the worker has none."""
        domain = registrable_domain(site)
        if domain not in self:
            raise lease_lost(domain)
        return self[domain]


def lease_lost(name: str) -> LeaseLost:
    return LeaseLost(f"{name} is another worker's now")


def after_run(lease: Lease, run: SiteRun) -> tuple[ListedSite, float]:
    """The site after a run, and for how many seconds it waits then.

    >>> lease = Lease(ListedSite("a.example", (), rate=WANTED / FIRST_WAIT), 1, 60.0, elapsed=3600.0)
    >>> [round(after_run(lease, SiteRun("finished", articles=found))[1]) for found in (0, 2, 10)]
    [7200, 3600, 1200]
    >>> after_run(lease, SiteRun("stopped", whole=False))[1]
    0.0
    """
    site = lease.site
    if not run.whole:
        return replace(site, outcome=run.outcome, pages=run.pages, articles=run.articles, delay=run.delay), 0.0
    if not site.rate or lease.elapsed is None:
        rate = WANTED / FIRST_WAIT  # the first run brings what is there, not what is new
    else:
        rate = (site.rate + run.articles / max(1.0, lease.elapsed + run.seconds)) / 2
    wait = min(LONGEST_WAIT, max(SHORTEST_WAIT, WANTED / rate)) if site.interval is None else site.interval
    done = replace(site, outcome=run.outcome, pages=run.pages, articles=run.articles, rate=rate, delay=run.delay)
    return done, max(0.0, wait - run.seconds)


class SiteList(Protocol):
    """Sites and their leases. ``fences`` is None where whoever writes needs no lease."""

    fences: Fences | None

    def list_site(self, site: ListedSite, wait: float | None = 0.0) -> bool:
        """Add a site that is due after a wait; True where it is new. One that is there keeps its past and its lease,
        and with None as the wait its due time."""
        ...

    def unlist_site(self, name: str) -> bool:
        """Take a site off the list, from its owner, too; False where it was not on it. What is known of it stays."""
        ...

    def listed_site(self, name: str) -> ListedSite | None: ...

    def listed_sites(self) -> list[ListedSite]:
        """All of them by name."""
        ...

    def store_time(self) -> float:
        """The clock that due times and leases go by."""
        ...

    def take_sites(self, owner: str, most: int, seconds: float, before: float | None = None) -> list[Lease]:
        """Up to so many sites: those whose owner's lease ran out, then those that are due (and were at a time).

        Where others hold leases already, a lease has their length.
        """
        ...

    def renew_leases(self, owner: str, leases: Sequence[tuple[Fence, float]], seconds: float) -> set[int]:
        """Renew leases, each with the delay that is kept now; gives the tokens of those that still hold."""
        ...

    def give_back(self, lease: Lease, run: SiteRun) -> bool:
        """End a lease; False where it had ended before."""
        ...


def by_name(sites: Iterable[ListedSite]) -> list[ListedSite]:
    return sorted(sites, key=lambda site: site.name)
