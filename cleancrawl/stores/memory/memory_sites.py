"""The list of sites in a store in memory."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from cleancrawl.stores.listed_sites import PAST, RUN_FIELDS, Fence, Lease, ListedSite, SiteRun, after_run, by_name
from cleancrawl.stores.memory.memory_tables import HeldLease, MemoryTables, in_turn


class MemorySites(MemoryTables):
    @in_turn
    def list_site(self, site: ListedSite, wait: float | None = 0.0) -> bool:
        old = self._listed.get(site.name)
        due = old.due if old and wait is None else self.store_time() + (wait or 0.0)
        if old:
            past = {name: getattr(old, name) for name in PAST}
            site = replace(site, **past)
        under_way = site.name in self._leases
        self._listed[site.name] = replace(site, due=None if site.paused or under_way else due)
        return old is None

    @in_turn
    def unlist_site(self, name: str) -> bool:
        self._leases.pop(name, None)
        return self._listed.pop(name, None) is not None

    @in_turn
    def listed_site(self, name: str) -> ListedSite | None:
        site, lease = self._listed.get(name), self._leases.get(name)
        if site is None or lease is None:
            return site
        return replace(site, owner=lease.owner, taken=lease.taken, until=lease.until)

    @in_turn
    def listed_sites(self) -> list[ListedSite]:
        return by_name(site for name in self._listed if (site := self.listed_site(name)) is not None)

    def store_time(self) -> float:
        return time.time()

    @in_turn
    def take_sites(self, owner: str, most: int, seconds: float, before: float | None = None) -> list[Lease]:
        now = self.store_time()
        run_out = [name for name, lease in self._leases.items() if lease.until <= now]
        latest = now if before is None else min(now, before)
        due = [site for site in self._listed.values() if site.due is not None and site.due <= latest]
        due.sort(key=lambda site: (site.due or 0.0, site.name))
        names = (run_out + [site.name for site in due])[:most]
        return [self._take(name, owner, now, seconds) for name in names]

    def _take(self, name: str, owner: str, now: float, seconds: float) -> Lease:
        old, site = self._leases.get(name), self._listed[name]
        self._last_token += 1
        delay = old.delay if old else site.delay
        self._leases[name] = HeldLease(self._last_token, owner, now, now + seconds, delay)
        self._listed[name] = replace(site, due=None)
        elapsed = now - site.ended if site.ended else None
        rest = max(0.0, site.rests_until - now)
        return Lease(site, self._last_token, seconds, old is not None, delay, elapsed, rest)

    @in_turn
    def renew_leases(self, owner: str, leases: Sequence[tuple[Fence, float]], seconds: float) -> set[int]:
        kept = set()
        for (name, token), delay in leases:
            lease = self._leases.get(name)
            if lease is not None and lease.token == token:
                lease.until, lease.delay = self.store_time() + seconds, delay
                kept.add(token)
        return kept

    @in_turn
    def give_back(self, lease: Lease, run: SiteRun) -> bool:
        name, held = lease.site.name, self._leases.get(lease.site.name)
        if held is None or held.token != lease.token:
            return False
        del self._leases[name]
        done, wait = after_run(lease, run)
        site, now = self._listed[name], self.store_time()
        self._listed[name] = replace(
            site,
            **{field: getattr(done, field) for field in RUN_FIELDS},
            ended=now if run.whole else site.ended,
            rests_until=now + run.rest,
            due=None if site.paused else now + wait,
        )
        return True
