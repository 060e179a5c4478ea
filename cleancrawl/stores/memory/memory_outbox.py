"""Articles, readers' cursors, document fingerprints and held pages in a store in memory."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from cleancrawl.core.site import site_key
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores import version_rules
from cleancrawl.stores.memory.memory_tables import Entry, MemoryTables, in_turn
from cleancrawl.stores.protocol import Candidate, HeldPage, PageRecord, Recorded, Signature, StoredArticle, Visit


class MemoryOutbox(MemoryTables):
    def _put_article(self, record: PageRecord, version: int) -> Recorded:
        if record.article is None:
            return Recorded(version)
        visit, digest = record.visit, version_rules.article_digest(record.article)
        kept = version_rules.verdicts(record, self.limits.page_blocks)
        old = self._outbox.get(visit.url)
        if old and old.text is not None:
            there = json.loads(old.text)
            if old.digest == digest and version_rules.more_renderings(there, record.article):
                self._outbox[visit.url] = replace(old, text=json.dumps(record.article))
            if old.digest == digest or (
                version_rules.same_source(old.kept, kept) and version_rules.same_head(there, record.article)
            ):
                return Recorded(old.stored.version)
        text = json.dumps(record.article)
        version, previous = (old.stored.version + 1, old.content) if old else (1, None)
        cursor = self._last_cursor + 1
        stored = StoredArticle(cursor, visit.url, visit.site, version, previous, visit.fetched, None)
        self._append(Entry(stored, text, digest, record.content, kept))
        if record.signature:
            self._put_signature(visit, record.signature)
        return Recorded(version, previous, cursor)

    def _append(self, entry: Entry) -> None:
        self._last_cursor = max(self._last_cursor, entry.stored.cursor)
        self._outbox.pop(entry.stored.url, None)
        self._outbox[entry.stored.url] = entry

    def _put_signature(self, visit: Visit, signature: Signature) -> None:
        self._drop_signature(visit.url)
        self._last_document += 1
        self._documents[self._last_document] = (visit, signature)
        self._document_numbers[visit.url] = self._last_document
        self._bands.add(signature.keys, self._last_document)

    def _drop_signature(self, url: str) -> None:
        """The table of bands keeps the number; a number without a document is passed over."""
        self._documents.pop(self._document_numbers.pop(url, 0), None)

    @in_turn
    def articles(self, after: int = 0, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        found = []
        # From the end: readers are mostly up to date.
        for entry in reversed(self._outbox.values()):
            if entry.stored.cursor <= after:
                break
            if site is None or entry.stored.site == site:
                found.append(entry)
        return [whole(entry) for entry in found[::-1][:limit]]

    @in_turn
    def newest(self, before: int | None = None, limit: int = 100, site: str | None = None) -> list[StoredArticle]:
        found = (
            entry
            for entry in reversed(self._outbox.values())
            if (before is None or entry.stored.cursor < before) and site in (None, entry.stored.site)
        )
        return [whole(entry) for entry in islice(found, limit)]

    def article(self, url: str) -> StoredArticle | None:
        entry = self._outbox.get(url)
        return whole(entry) if entry else None

    @in_turn
    def withdraw(self, url: str, moment: float | None = None) -> bool:
        self._check_lease(site_key(url))
        old = self._outbox.get(url)
        there = old is not None and old.text is not None
        if old and there:
            recorded = time.time() if moment is None else moment
            stored = replace(old.stored, cursor=self._last_cursor + 1, recorded=recorded)
            self._append(Entry(stored, None, old.digest, old.content, old.kept, old.text))
        self._drop_signature(url)
        return there

    @in_turn
    def mark_duplicate(self, url: str, original: str | None) -> bool:
        old = self._outbox.get(url)
        text = None if old is None or old.text is None else version_rules.with_original(old.text, original)
        if old is None or text is None:
            return False
        self._append(replace(old, stored=replace(old.stored, cursor=self._last_cursor + 1), text=text))
        return True

    @in_turn
    def began(self) -> int:
        return self._cursors.setdefault(rules.BEGAN, int(time.time() * 1e6))

    def cursor(self, name: str) -> int:
        return self._cursors.get(name, 0)

    def set_cursor(self, name: str, cursor: int) -> None:
        self._cursors[name] = cursor

    def note(self, site: str, name: str) -> str | None:
        return self._notes.get((site, name))

    @in_turn
    def set_note(self, site: str, name: str, text: str) -> None:
        self._check_lease(site)
        self._notes[site, name] = text

    @in_turn
    def article_counts(self) -> dict[str, int]:
        return dict(Counter(entry.stored.site for entry in self._outbox.values() if entry.text is not None))

    @in_turn
    def candidates(self, keys: Sequence[int], limit: int = 100) -> list[Candidate]:
        documents = [self._documents[n] for n in self._bands.find(keys, rules.SHARERS, self._documents)]
        found = [Candidate(v.url, v.site, v.fetched, signature.data) for v, signature in documents]
        return sorted(found, key=lambda candidate: candidate.recorded)[:limit]

    def _hold(self, url: str, site: str, since: float, response: bytes) -> None:
        self._held[url] = HeldPage(url, site, since, response)

    @in_turn
    def held(
        self, site: str | None = None, before: float | None = None, after: str = "", limit: int = 100
    ) -> list[HeldPage]:
        urls = sorted(
            page.url
            for page in self._held.values()
            if page.url > after and site in (None, page.site) and (before is None or page.since < before)
        )
        return [self._held[url] for url in urls[:limit]]

    def held_page(self, url: str) -> HeldPage | None:
        return self._held.get(url)

    @in_turn
    def holds(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for page in self._held.values():
            counts[page.site] = counts.get(page.site, 0) + 1
        return counts

    @in_turn
    def release(self, url: str) -> None:
        self._check_lease(site_key(url))
        if self._held.pop(url, None):
            self._states[url] = replace(self._states[url], held=False)


def whole(entry: Entry) -> StoredArticle:
    article, was = (None if text is None else json.loads(text) for text in (entry.text, entry.was))
    return replace(entry.stored, article=article, was=was)
