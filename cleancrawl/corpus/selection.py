"""Which articles of a store go into a corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.metadata.rights import CLAIMS, Statement, claims, reservations
from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.core.text.words import count_words
from cleancrawl.sinks.analysis import base_language
from cleancrawl.sinks.filling import to_record
from cleancrawl.stores.protocol import Outbox, StoredArticle

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Selection:
    """What an article must fulfil; nothing by default."""

    site: str | None = None
    since: datetime | None = None
    """Published on or after; fetched, where the page does not say when it was published."""
    language: str | None = None
    min_words: int = 0
    no_duplicates: bool = False
    no_withdrawn: bool = False
    """Without articles whose pages are gone."""
    rights: tuple[str, ...] = ()
    """Reservations that an article must not make, and claims that it must (``cleancrawl.core.metadata.rights``)."""

    def takes(self, article: ArticleRecord) -> bool:
        if self.language and base_language(article.get("language")) != base_language(self.language):
            return False
        if self.no_duplicates and article.get("duplicate_of"):
            return False
        if self.no_withdrawn and article.get("withdrawn"):
            return False
        if self.rights and not _may_be_used(article.get("rights") or [], self.rights):
            return False
        if self.min_words and words_of(article) < self.min_words:
            return False
        if self.since:
            moment = parse_date(article.get("published")) or parse_date(article.get("fetched_at"))
            return moment is not None and moment >= self.since
        return True


def _may_be_used(said: list[Statement], wanted: Collection[str]) -> bool:
    missing = set(wanted).intersection(CLAIMS) - claims(said)
    return not missing and reservations(said).isdisjoint(wanted)


def words_of(article: ArticleRecord) -> int:
    return int(article.get("word_count") or 0) or count_words(article.get("text") or "")


def select(outbox: Outbox, selection: Selection, after: int, end: int) -> Iterator[tuple[int, ArticleRecord | None]]:
    """Cursors above ``after`` up to ``end`` in ascending order, with the article where it is selected, else None."""
    while after < end and (entries := outbox.articles(after, _BATCH, selection.site)):
        for entry in entries:
            if entry.cursor > end:
                return
            yield entry.cursor, _selected(entry, selection)
        after = entries[-1].cursor


def _selected(entry: StoredArticle, selection: Selection) -> ArticleRecord | None:
    if entry.article is None and entry.was is None:
        return None
    article = to_record(entry)
    return article if selection.takes(article) else None


def last_cursor(outbox: Outbox) -> int:
    """The highest cursor of the outbox, in about a hundred look-ups: what comes later is for the next export."""
    low, high = 0, 1
    while outbox.articles(high, 1):
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        if outbox.articles(middle, 1):
            low = middle + 1
        else:
            high = middle
    return low
