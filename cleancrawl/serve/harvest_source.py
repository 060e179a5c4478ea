"""Where the pages have their articles from: a store, an index, or both."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from threading import Lock, Thread
from time import monotonic

from cleancrawl.core.article import FIELDS, ArticleRecord
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.article_signature import SAME, signature, similarity
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.recipes import get_recipe
from cleancrawl.report.harvest_report import as_html, gather
from cleancrawl.report.stored_page import stored_document
from cleancrawl.sinks.reader import Filters
from cleancrawl.sinks.searching import Searcher, SearchPage, make_cursor, read_cursor
from cleancrawl.stores.earlier_versions import EarlierVersion, earlier_versions
from cleancrawl.stores.protocol import Store, StoredArticle

PAGE = 20
COPIES = 20
FRESH_REPORT, OLD_REPORT = 60.0, 600.0
"""Seconds after which a new report is made while the old one is shown; and after which one waits for it. That of a
thousand sites takes a second or two."""


def whole(record: ArticleRecord) -> ArticleRecord:
    """With all fields: an index does not keep empty ones."""
    return {**dict.fromkeys(FIELDS), **record}


@dataclass(frozen=True, slots=True)
class Shown:
    """An article as it is read."""

    record: ArticleRecord
    entry: StoredArticle | None
    """What the store knows of it."""

    @property
    def withdrawn(self) -> datetime | None:
        if self.entry is None or self.entry.article is not None:
            return None
        return datetime.fromtimestamp(self.entry.recorded, UTC)

    @property
    def paragraphs(self) -> list[str]:
        return [line for line in str(self.record.get("text") or "").split("\n") if line.strip()]


@dataclass(slots=True)
class HarvestSource:
    store: Store | None = None
    index: Searcher | None = None
    name: str = ""
    """What the store is called in its report."""
    _report: tuple[float, str] | None = None
    _making: Lock = field(default_factory=Lock)
    """Held by whoever makes a report."""

    def search(self, query: str, filters: Filters, after: str | None) -> SearchPage:
        if self.index is None:
            raise ConfigError("there is no index to search in: cleancrawl sync STORE tantivy:///index makes one")
        return self.index.search_page(query, filters, PAGE, after)

    def newest(self, site: str | None, after: str | None) -> tuple[list[StoredArticle], str | None]:
        """The newest articles of the store, and the cursor of the next page."""
        if self.store is None:
            return [], None
        before = read_cursor(after) if after else None
        if before is not None and not isinstance(before, int):
            raise ConfigError("no page begins there")
        found = self.store.newest(before, PAGE, site or None)
        return found, make_cursor(found[-1].cursor) if len(found) == PAGE else None

    def article(self, url: str) -> Shown | None:
        entry = self.store.article(url) if self.store is not None else None
        record = (entry.article or entry.was) if entry else None
        if record is None and self.index is not None:
            record = self.index.article(url)
        return None if record is None else Shown(whole(record), entry)

    def versions(self, shown: Shown) -> list[EarlierVersion]:
        """All that are known, oldest first; the last is the article itself."""
        if self.store is None or shown.entry is None:
            return []
        entry, record = shown.entry, shown.record
        title, text = (str(record.get(name) or "") for name in ("title", "text"))
        now = EarlierVersion(entry.version, entry.recorded, title, text)
        return [*earlier_versions(self.store, entry.site, entry.url), now]

    def copies(self, shown: Shown) -> Sequence[str]:
        """Where the same story stands, too."""
        made = signature(str(shown.record.get("text") or "")) if self.store is not None else None
        if self.store is None or made is None:
            return []
        found = [one for one in self.store.candidates(made.keys) if similarity(made.data, one.data) >= SAME]
        return [one.url for one in found if one.url != shown.record.get("url")][:COPIES]

    def document(self, shown: Shown) -> Document | None:
        """Its page, cleaned again; None where the page was not kept."""
        if self.store is None or shown.entry is None or not shown.record.get("html"):
            return None
        try:
            recipe = get_recipe(str(shown.record.get("recipe") or "default"))
        except CleanCrawlError:  # one of somebody's own that is not installed here
            recipe = get_recipe("default")
        return stored_document(self.store, shown.entry, recipe)

    def report(self) -> str | None:
        """The report on the store, which says when it was made; None where there is no store."""
        if self.store is None:
            return None
        if self._report_age() > OLD_REPORT:
            with self._making:
                if self._report_age() > OLD_REPORT:  # nobody has made one meanwhile
                    self._make_report()
        shown = self._report
        if self._report_age() > FRESH_REPORT:
            self.prepare_report()
        return shown and shown[1]

    def prepare_report(self) -> None:
        """Make a report in the background, unless somebody is at it."""
        if self.store is not None and self._making.acquire(blocking=False):
            Thread(target=self._make_and_release, name="report", daemon=True).start()

    def _make_and_release(self) -> None:
        try:
            with suppress(CleanCrawlError):  # whoever waits for one is told
                self._make_report()
        finally:
            self._making.release()

    def _make_report(self) -> None:
        if self.store is not None:
            self._report = (monotonic(), as_html(gather(self.store), self.name, home="/"))

    def _report_age(self) -> float:
        return inf if self._report is None else monotonic() - self._report[0]

    def close(self) -> None:
        for part in (self.store, self.index):
            if part is not None:
                part.close()
