"""Looking after a store in memory."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.stores.dump_rows import DUMP_VERSION, ROW_FIELDS, as_base64, check_row, make_row
from cleancrawl.stores.listed_sites import from_json
from cleancrawl.stores.memory.memory_outbox import MemoryOutbox, whole
from cleancrawl.stores.memory.memory_runs import MemoryRuns
from cleancrawl.stores.memory.memory_sites import MemorySites
from cleancrawl.stores.memory.memory_tables import DistinctPage, Entry, Site, in_turn
from cleancrawl.stores.protocol import (
    BlockInfo,
    HeldPage,
    PageState,
    Signature,
    SiteInfo,
    StoredArticle,
    StoreInfo,
    Visit,
)


class MemoryCare(MemorySites, MemoryOutbox, MemoryRuns):
    @in_turn
    def info(self) -> StoreInfo:
        return StoreInfo(
            url="memory:",
            version=DUMP_VERSION,
            fingerprints=FINGERPRINT_VERSION,
            sites=len({state.site for state in self._states.values()}),
            pages=len(self._states),
            articles=sum(entry.text is not None for entry in self._outbox.values()),
            blocks=sum(site.index.size for site in self._sites.values()),
            held=len(self._held),
            bytes=sum(site.index.nbytes for site in self._sites.values()),
            limits=self.limits,
        )

    @in_turn
    def sites(self) -> list[SiteInfo]:
        found = []
        for name in sorted({state.site for state in self._states.values()}):
            site = self._sites.get(name, Site())
            states = [state for state in self._states.values() if state.site == name]
            articles = sum(entry.stored.site == name and entry.text is not None for entry in self._outbox.values())
            held = sum(page.site == name for page in self._held.values())
            last = max(state.last_fetched for state in states)
            found.append(SiteInfo(name, len(site.pages), len(states), articles, site.index.size, held, last))
        return found

    @in_turn
    def blocks(self, site: str, limit: int = 50) -> list[BlockInfo]:
        known = self._sites.get(site)
        if known is None:
            return []
        index = known.index
        pages, articles = (index.articles + index.others)[: index.size], index.articles[: index.size]
        order = np.lexsort((index.key[: index.size], -articles.astype(np.int64), -pages.astype(np.int64)))[:limit]
        return [
            BlockInfo(
                known.samples.get(int(index.key[row]), ""), int(pages[row]), int(articles[row]), float(index.seen[row])
            )
            for row in order.tolist()
        ]

    @in_turn
    def prune(self, before: float) -> int:
        gone = 0
        for site in self._sites.values():
            kept = site.index.seen[: site.index.size] >= before
            gone += int(np.count_nonzero(~kept))
            self._keep(site, kept)
        return gone

    @in_turn
    def forget(self, site: str) -> int:
        self._sites.pop(site, None)
        self._runs.pop(site, None)
        self._notes = {key: text for key, text in self._notes.items() if key[0] != site}
        urls = [url for url, state in self._states.items() if state.site == site]
        for url in urls:
            self._drop_signature(url)
            for table in (self._states, self._numbers, self._outbox, self._held):
                table.pop(url, None)
        return len(urls)

    def dump(self) -> Iterator[dict[str, Any]]:
        yield {"kind": "store", "version": DUMP_VERSION}
        for name, site in self._sites.items():
            for number, page in site.pages.items():
                head = (number, name, FINGERPRINT_VERSION, int(page.article))
                yield make_row("page", *head, page.content, as_base64(page.keys))
        for name, site in self._sites.items():
            yield from _dump_blocks(name, site)
        for url, state in self._states.items():
            fields = asdict(state) | {"page": self._numbers.get(url, 0), "changes": list(state.changes)}
            yield make_row("url", *(fields[name] for name in ROW_FIELDS["url"]))
        for entry in self._outbox.values():
            fields = asdict(whole(entry)) | {
                "digest": entry.digest,
                "content": entry.content,
                "kept": as_base64(entry.kept),
            }
            yield make_row("article", *(fields[name] for name in ROW_FIELDS["article"]))
        for name, cursor in self._cursors.items():
            yield make_row("cursor", name, cursor)
        for held in self._held.values():
            yield make_row("held", held.url, held.site, held.since, as_base64(held.response))
        for visit, signature in self._documents.values():
            yield make_row(
                "document", visit.url, visit.site, visit.fetched, as_base64(signature.data), list(signature.keys)
            )
        for (site_name, name), text in self._notes.items():
            yield make_row("note", site_name, name, text)
        for row in self.runs():
            yield make_row("run", row.site, row.run, row.started, row.counts)
        for listed in self.listed_sites():
            yield make_row("listed", listed.name, listed.to_json(), listed.due)

    def load(self, rows: Iterable[dict[str, Any]]) -> int:
        total = 0
        for row in map(check_row, rows):
            kind = row.pop("kind")
            getattr(self, f"_load_{kind}")(**row)
            total += 1
        return total

    def _load_store(self, version: int) -> None:
        """The head of a dump; checked with every row."""

    def _load_page(self, id: int, site: str, fingerprints: int, article: int, content: int, keys: str) -> None:
        self._last_number = max(self._last_number, id)
        if fingerprints == FINGERPRINT_VERSION:
            self._sites.setdefault(site, Site()).pages[id] = DistinctPage(bool(article), content, b64decode(keys))

    def _load_block(self, site: str, fingerprints: int, **row: Any) -> None:
        if fingerprints != FINGERPRINT_VERSION:
            return
        known = self._sites.setdefault(site, Site())
        known.index.add([row["key"]], [row["near"]], True, row["first"], row["seen"])
        for name in ("articles", "others", "last", "sections", "squares"):
            getattr(known.index, name)[known.index.size - 1] = row[name]
        if row["sample"] is not None:
            known.samples[row["key"]] = row["sample"]

    def _load_url(self, page: int, changes: list[float], **state: Any) -> None:
        self._states[state["url"]] = PageState(**state, changes=tuple(changes))
        self._numbers[state["url"]] = page

    def _load_article(
        self,
        content: int,
        digest: int,
        article: ArticleRecord | None,
        was: ArticleRecord | None,
        kept: str,
        **stored: Any,
    ) -> None:
        text, old = (None if record is None else json.dumps(record) for record in (article, was))
        self._append(Entry(StoredArticle(**stored, article=None), text, digest, content, b64decode(kept), old))

    def _load_cursor(self, name: str, cursor: int) -> None:
        self._cursors[name] = cursor

    def _load_note(self, site: str, name: str, note: str) -> None:
        self._notes[site, name] = note

    def _load_listed(self, name: str, site: dict[str, Any], due: float | None) -> None:
        self._listed[name] = from_json(name, site, due=None if site["paused"] else due or 0.0)

    def _load_held(self, url: str, site: str, since: float, response: str) -> None:
        self._held[url] = HeldPage(url, site, since, b64decode(response))
        self._states[url] = replace(self._states[url], held=True)

    def _load_document(self, url: str, site: str, recorded: float, data: str, keys: list[int]) -> None:
        self._put_signature(Visit(site, url, recorded), Signature(tuple(keys), b64decode(data)))


def _dump_blocks(name: str, site: Site) -> Iterator[dict[str, Any]]:
    index = site.index
    columns = (index.key, index.near, index.articles, index.others, index.first, index.last, index.seen)
    for row in range(index.size):
        key, near, *rest = (int(column[row]) for column in columns)
        fingerprint = near if index.long[row] else None
        sums = (int(index.sections[row]), int(index.squares[row]))
        yield make_row("block", name, FINGERPRINT_VERSION, key, fingerprint, *rest, site.samples.get(key), *sums)
