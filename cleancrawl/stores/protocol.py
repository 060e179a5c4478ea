"""The store protocol, which belongs to its consumers: small parts, each batched per page, together one ``Store``.

Every method raises ``StoreError`` with one clear line where the backend fails. Times are seconds since the epoch.
Whatever a method promises to write is written in one transaction: all or nothing, also when the process is killed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.fingerprints.article_signature import Signature
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.page import Known
from cleancrawl.core.recipe import SiteNotes
from cleancrawl.stores.listed_sites import SiteList

__all__ = [
    "BlockInfo",
    "Candidate",
    "Care",
    "HeldPage",
    "Holds",
    "Known",
    "Limits",
    "Outbox",
    "PageRecord",
    "PageState",
    "PageStates",
    "Prints",
    "Recorded",
    "RunCounts",
    "RunRow",
    "Runs",
    "Signature",
    "SiteInfo",
    "SiteKnowledge",
    "SiteNotes",
    "Store",
    "StoreInfo",
    "StoredArticle",
    "Visit",
]


RunCounts = dict[str, Any]
"""What one run has counted on one site, as JSON values of bounded size (``cleancrawl/report/site_tally.py``)."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One fetch of a page and what the server said about it."""

    site: str
    url: str
    fetched: float
    status: int = 200
    etag: str | None = None
    last_modified: str | None = None
    reason: str | None = None
    """Why there is no article (``listing``, ``gone``, ``http-500``, …); None where there is one or no verdict."""
    run: float | None = None
    """When the run began that made the visit: a page that a run finds gone twice was missed once."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """Everything that one page leaves behind; recorded in one transaction."""

    visit: Visit
    prints: Prints
    content: int
    """Simhash of the page's kept text, 0 where nothing was kept."""
    words: Sequence[int] = ()
    """Words of each block that was kept, 0 where it was removed: what tells whether two pages are one."""
    known: Known | None = None
    """The answer of ``seen`` for this page; asked again where it is missing."""
    article: ArticleRecord | None = None
    """With ``title`` and ``text``; None where the page is none or is held."""
    signature: Signature | None = None
    judge: int = 0
    """Fingerprint (32 bits) of what decided about the blocks apart from the site: recipe, model, settings."""
    held: bytes | None = None
    """The packed response of a page that waits until its site is known. A record without it ends the wait."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a record changed."""

    version: int = 0
    """Version of the article, from 1; 0 where the page is none."""
    previous: int | None = None
    """Content fingerprint of the version before; None for the first."""
    cursor: int | None = None
    """Place in the outbox; None where the article is the one that was there already, or there is none."""


@dataclass(frozen=True, slots=True)
class PageState:
    """What is known about one URL from its earlier fetches."""

    url: str
    site: str
    first_fetched: float
    last_fetched: float
    status: int
    etag: str | None = None
    last_modified: str | None = None
    reason: str | None = None
    content: int = 0
    visits: int = 1
    """How often it was fetched, unchanged answers (304) included, failures not."""
    changes: tuple[float, ...] = ()
    """When its content was found changed, oldest first, the first fetch included; the newest sixteen are kept."""
    version: int = 0
    """Version of its article; 0 where it never gave one."""
    held: bool = False
    misses: int = 0
    """How many runs in a row have found it gone; an answer that is no page and no ``gone`` leaves the count alone."""


@dataclass(frozen=True, slots=True)
class StoredArticle:
    """An entry of the outbox. A new version of an article moves it to the end under a higher cursor."""

    cursor: int
    url: str
    site: str
    version: int
    previous: int | None
    recorded: float
    """When it was accepted or withdrawn."""
    article: ArticleRecord | None
    """None where the article was withdrawn: sinks delete it."""
    was: ArticleRecord | None = None
    """What was withdrawn: two answers of a server are no reason to lose a text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An earlier article that shares a band key with the one asked about."""

    url: str
    site: str
    recorded: float
    data: bytes


@dataclass(frozen=True, slots=True)
class HeldPage:
    """A page that waits until its site is known."""

    url: str
    site: str
    since: float
    response: bytes


@dataclass(frozen=True, slots=True)
class SiteInfo:
    site: str
    pages: int
    """Distinct pages: near-identical ones count once."""
    urls: int
    articles: int
    blocks: int
    held: int
    last_fetched: float


@dataclass(frozen=True, slots=True)
class BlockInfo:
    text: str
    """A sample; empty where the block was seen on one page only."""
    pages: int
    articles: int
    """On how many of the pages that gave an article."""
    last_seen: float


@dataclass(frozen=True, slots=True)
class RunRow:
    """What one run has counted on one site."""

    site: str
    """Empty: the run as a whole."""
    run: str
    started: float
    counts: RunCounts


@dataclass(frozen=True, slots=True)
class Limits:
    """What keeps a store bounded."""

    blocks_per_site: int = 200_000
    """Above it the rarest blocks go, of these the ones not seen for longest."""
    sightings: int = 65_535
    """A block's count of pages stops here."""
    page_blocks: int = 4_096
    """Blocks that one page can leave behind, over all its versions."""
    runs_per_site: int = 200
    """Runs of which a site's counts are kept, the newest."""
    max_age: float = 180 * 86_400.0
    """Seconds after which ``prune`` forgets a block that was not seen again."""


@dataclass(frozen=True, slots=True)
class StoreInfo:
    url: str
    version: int
    fingerprints: int
    """Version of the tokenizer and hash that make the fingerprints."""
    sites: int
    pages: int
    articles: int
    blocks: int
    held: int
    bytes: int
    limits: Limits = field(default_factory=Limits)


class SiteKnowledge(Protocol):
    """Which blocks recur on a site. One call before scoring, one after."""

    def seen(self, site: str, url: str, prints: Prints) -> Known:
        """On how many other pages of the site each block was seen; near-identical pages are one page.

        Pages that gave no article (listings repeat every teaser) count as one page together.
        """
        ...

    def record(self, record: PageRecord) -> Recorded:
        """Remember a page: its blocks, its state, its article or its hold, all or nothing; twice is as good as once."""
        ...

    def site_pages(self, site: str) -> int:
        """How many distinct pages of the site are known."""
        ...

    def site_articles(self, site: str) -> int:
        """How many of them gave an article or wait to give one. Looks at each: for sites of which little is known."""
        ...


class PageStates(Protocol):
    """What the next crawl has to know about this one."""

    def page_states(self, urls: Sequence[str]) -> dict[str, PageState]:
        """States of those among the URLs that are known."""
        ...

    def visit(self, visit: Visit) -> None:
        """Remember a fetch that brought no page to clean: unchanged (304), gone, failed, or not HTML.

        A missing ETag or Last-Modified leaves the stored one as it is.
        """
        ...

    def stale(self, site: str, before: float, limit: int = 1000) -> list[PageState]:
        """Pages of a site that have given an article and were not fetched since a time, the longest unseen first."""
        ...


class Outbox(Protocol):
    """The accepted articles, newest version of each, in the order in which they were recorded."""

    def articles(self, after: int = 0, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        """Entries with a cursor above ``after``. An entry never appears behind a cursor that was already handed out."""
        ...

    def newest(self, before: int | None = None, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        """The entries with a cursor below ``before``, the newest first; withdrawn ones are among them."""
        ...

    def article(self, url: str) -> StoredArticle | None: ...

    def withdraw(self, url: str, moment: float | None = None) -> bool:
        """Replace the article by an entry that tells sinks to delete it; False where there is none.

        The next record of an article at this URL takes it back. Without a ``moment`` it happens now.
        """
        ...

    def mark_duplicate(self, url: str, original: str | None) -> bool:
        """Set ``duplicate_of`` of a stored article; False where it says so already, or there is none.

        Its entry moves to the end of the outbox, so that sinks learn of it; its version stays.
        """
        ...

    def began(self) -> int:
        """When the outbox was begun, in microseconds: one number for all who ever ask.

        Together with a cursor it tells which of two entries is the later one, also where a store was made anew.
        """
        ...

    def cursor(self, name: str) -> int:
        """How far the reader of this name has come; 0 at first."""
        ...

    def set_cursor(self, name: str, cursor: int) -> None: ...

    def article_counts(self) -> dict[str, int]:
        """How many articles of which site there are, withdrawn ones aside; reads none of them."""
        ...

    def candidates(self, keys: Sequence[int], limit: int = 100) -> list[Candidate]:
        """Articles recorded with a signature that has one of these keys, oldest first, each once.

        Of a key that more than ``page_rules.SHARERS`` have, as where one text stands at endless addresses, those are
        looked at that were recorded first.
        """
        ...


class Holds(Protocol):
    """Pages that wait until their site is known; ``record`` puts them here and takes them away."""

    def held(
        self, site: str | None = None, before: float | None = None, after: str = "", limit: int = 100
    ) -> list[HeldPage]:
        """Held pages by URL from ``after`` on: of one site, or held since before a time."""
        ...

    def held_page(self, url: str) -> HeldPage | None: ...

    def holds(self) -> dict[str, int]:
        """How many pages of which site are held."""
        ...

    def release(self, url: str) -> None:
        """Give up a held page without a record."""
        ...


class Runs(Protocol):
    """What each run has counted, per site: what reports are made of, whatever the number of articles."""

    def record_run(self, run: str, started: float, counts: Mapping[str, RunCounts]) -> None:
        """Write what a run has counted so far, by site, over what it wrote before; the empty site is the run itself.

        Of each site the counts of the newest ``Limits.runs_per_site`` runs remain.
        """
        ...

    def runs(self, since: float = 0.0) -> Iterator[RunRow]:
        """The counts of all runs that began at a time or later: site by site, the oldest run of each first."""
        ...


class Care(Protocol):
    """For people who look after a store."""

    def info(self) -> StoreInfo: ...

    def sites(self) -> list[SiteInfo]:
        """All sites by name."""
        ...

    def blocks(self, site: str, limit: int = 50) -> list[BlockInfo]:
        """The blocks seen on most pages of the site."""
        ...

    def prune(self, before: float) -> int:
        """Forget blocks not seen since a time; returns how many went."""
        ...

    def forget(self, site: str) -> int:
        """Forget all about a site, its articles included; returns how many URLs went."""
        ...

    def dump(self) -> Iterator[dict[str, Any]]:
        """Everything as JSON values, one row after another."""
        ...

    def load(self, rows: Iterable[dict[str, Any]]) -> int:
        """Add what ``dump`` gave, into an empty store; returns the number of rows."""
        ...


class Store(SiteKnowledge, PageStates, Outbox, Holds, SiteNotes, SiteList, Runs, Care, Protocol):
    """All of it; opened by ``open_store(url)``. Threads may share an instance; processes open their own.

    ``forget`` forgets the notes on a site and its runs, too. Where ``fences`` are set, whatever writes about a site
    (``record``, ``visit``, ``withdraw``, ``release``, ``set_note``) raises ``LeaseLost`` unless the lease holds at that
    moment.
    """

    def close(self) -> None:
        """Give back files and connections; closing twice is allowed."""
        ...
