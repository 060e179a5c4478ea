"""``memory:``: a store that lives as long as its process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.page import Known
from cleancrawl.errors import ConfigError
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.memory.memory_care import MemoryCare
from cleancrawl.stores.memory.memory_tables import DistinctPage, Site, in_turn
from cleancrawl.stores.page_rules import NOT_RECORDED, Own, Sighting
from cleancrawl.stores.protocol import Limits, PageRecord, PageState, Prints, Recorded, Visit


def open_url(url: str, limits: Limits) -> MemoryStore:
    if url not in ("memory:", "memory://"):
        raise ConfigError(f"{url!r}: a store in memory takes no name, write memory:")
    return MemoryStore(limits)


class MemoryStore(MemoryCare):
    def close(self) -> None:
        """Nothing to give back; what is known stays until the object goes."""

    @in_turn
    def seen(self, site: str, url: str, prints: Prints) -> Known:
        known = self._sites.get(site)
        if known is None:
            empty: list[Sighting | None] = [None] * len(prints.exact)
            return rules.count_pages(empty, {}, NOT_RECORDED, rules.lengths_of(prints), 0, prints.sections)
        own = self._own(known, self._numbers.get(url, 0))
        rows = known.index.sightings(known.index.find(prints.exact))
        near = self._near(known, prints, rules.unsure(rows, own))
        return rules.count_pages(rows, near, own, rules.lengths_of(prints), len(known.pages), prints.sections)

    def site_pages(self, site: str) -> int:
        known = self._sites.get(site)
        return len(known.pages) if known else 0

    @in_turn
    def site_articles(self, site: str) -> int:
        known = self._sites.get(site)
        return sum(page.article for page in known.pages.values()) if known else 0

    def _own(self, site: Site, number: int) -> Own:
        page = site.pages.get(number)
        return Own(number, rules.unpack_own(page.keys)) if page else NOT_RECORDED

    def _near(self, site: Site, prints: Prints, indices: Sequence[int]) -> dict[int, list[Sighting]]:
        wanted = {i: near for i, near in zip(indices, prints.near(indices), strict=True) if near is not None}
        found = site.index.find_near(list(wanted.values()))
        return {
            index: [row for row in site.index.sightings(rows) if row]
            for index, rows in zip(wanted, found, strict=True)
            if len(rows)
        }

    @in_turn
    def record(self, record: PageRecord) -> Recorded:
        visit = record.visit
        self._check_lease(visit.site)
        known = record.known or self.seen(visit.site, visit.url, record.prints)
        site = self._sites.setdefault(visit.site, Site())
        page = self._count_blocks(record, site, rules.copy_of(record, known))
        old = self._states.get(visit.url)
        recorded = self._put_article(record, old.version if old else 0)
        self._states[visit.url] = replace(rules.after_record(old, record), version=recorded.version)
        self._numbers[visit.url] = page
        self._put_hold(record)
        return recorded

    def _count_blocks(self, record: PageRecord, site: Site, copied: int) -> int:
        """Count the page's blocks for the distinct page that it is; returns that page's number."""
        article, now = record.visit.reason is None, int(record.visit.fetched)
        number = self._distinct_page(record, site, copied)
        page, own = site.pages[number], self._own(site, number)
        places = {key: index for index, key in enumerate(record.prints.exact)}
        fresh, again, moved = rules.counted(own, places, article)
        sections = rules.sections_of(record.prints)
        self._move(site, {key: sections[places[key]] for key in moved}, to_articles=article)
        rows = self._there(site, again + moved)
        site.index.seen[rows] = np.maximum(site.index.seen[rows], now)
        self._add_blocks(record, site, number, {key: places[key] for key in fresh})
        page.keys = rules.owned(own, places, article, self.limits.page_blocks)
        page.article, page.content = article, record.content
        return number

    def _there(self, site: Site, keys: list[int]) -> NDArray[np.int64]:
        rows = site.index.find(keys)
        return rows[rows >= 0]

    def _add_blocks(self, record: PageRecord, site: Site, number: int, fresh: dict[int, int]) -> None:
        article, now, prints = record.visit.reason is None, int(record.visit.fetched), record.prints
        keys, found, sections = list(fresh), site.index.find(list(fresh)), rules.sections_of(prints)
        rows = found[found >= 0]
        count = site.index.articles if article else site.index.others
        if article:
            self._count_sections(site, rows, [sections[fresh[key]] for key in site.index.key[rows].tolist()])
        count[rows] = np.minimum(count[rows] + 1, self.limits.sightings)
        site.index.last[rows] = number
        site.index.seen[rows] = np.maximum(site.index.seen[rows], now)
        for key in site.index.key[rows].tolist() if prints.samples else ():
            site.samples.setdefault(key, rules.sample_of(prints.samples[fresh[key]]))
        new = [keys[place] for place in np.flatnonzero(found < 0).tolist()]
        nears, numbers = prints.near([fresh[key] for key in new]), [sections[fresh[key]] for key in new]
        site.index.add(new, nears, article, number, now, numbers)
        if site.index.size > self.limits.blocks_per_site:
            self._drop_rarest(site)

    def _count_sections(self, site: Site, rows: NDArray[np.int64], sections: list[int]) -> None:
        """Of those whose count has not come to its end."""
        room = site.index.articles[rows] < self.limits.sightings
        site.index.count_sections(rows[room], np.asarray(sections, dtype=np.int64)[room])

    def _distinct_page(self, record: PageRecord, site: Site, copied: int) -> int:
        own = self._numbers.get(record.visit.url, 0)
        if own in site.pages:
            return own
        if copied in site.pages and rules.contents_agree(site.pages[copied].content, record.content):
            return copied
        self._last_number += 1
        site.pages[self._last_number] = DistinctPage(record.visit.reason is None)
        return self._last_number

    def _move(self, site: Site, sections: dict[int, int], *, to_articles: bool) -> None:
        """A page that was taken for an article turned out to be none, or the reverse."""
        rows = self._there(site, list(sections))
        here, there = site.index.articles, site.index.others
        more, less = (here, there) if to_articles else (there, here)
        moved = rows[less[rows] > 0]
        less[moved] -= 1
        more[moved] += 1
        numbers = [sections[key] for key in site.index.key[moved].tolist()]
        site.index.count_sections(moved, numbers, back=not to_articles)

    def _drop_rarest(self, site: Site) -> None:
        kept = np.ones(site.index.size, dtype=np.bool_)
        kept[site.index.rarest(rules.surplus(site.index.size, self.limits))] = False
        self._keep(site, kept)

    @in_turn
    def page_states(self, urls: Sequence[str]) -> dict[str, PageState]:
        return {url: self._states[url] for url in urls if url in self._states}

    @in_turn
    def visit(self, visit: Visit) -> None:
        self._check_lease(visit.site)
        self._states[visit.url] = rules.after_visit(self._states.get(visit.url), visit)

    @in_turn
    def stale(self, site: str, before: float, limit: int = 1000) -> list[PageState]:
        found = [s for s in self._states.values() if s.site == site and s.version and s.last_fetched < before]
        return sorted(found, key=lambda state: (state.last_fetched, state.url))[:limit]

    def _put_hold(self, record: PageRecord) -> None:
        visit = record.visit
        if record.held is None:
            self._held.pop(visit.url, None)
        else:
            self._hold(visit.url, visit.site, visit.fetched, record.held)
