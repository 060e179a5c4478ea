"""The list of sites in a Redis store: one entry of a stream for each site that is under way, read by a consumer group.

An entry's idle time is that of the lease: a sign of life resets it, ``XAUTOCLAIM`` finds those that ran out. Scripts do
each step at once, so no site is ever between two lists, and all times are those of the server. Redis 6.2 or newer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from cleancrawl.errors import StoreError
from cleancrawl.stores.listed_sites import RUN_FIELDS, Fence, Lease, ListedSite, SiteRun, after_run, by_name, from_json
from cleancrawl.stores.redis.redis_server import RedisServer

START = "0-0"


class RedisSites(RedisServer):
    _look_from = START
    """Where the search for leases that ran out goes on: one call looks at a part of them."""

    def list_site(self, site: ListedSite, wait: float | None = 0.0) -> bool:
        text = json.dumps(site.to_json())
        return bool(self._script("list_site", site.name, text, "" if wait is None else repr(wait)))

    def unlist_site(self, name: str) -> bool:
        return bool(self._script("unlist_site", name))

    def listed_site(self, name: str) -> ListedSite | None:
        return next(iter(self._find_listed(name)), None)

    def listed_sites(self) -> list[ListedSite]:
        return by_name(self._find_listed(""))

    def _find_listed(self, name: str) -> list[ListedSite]:
        now, rows = self._script("listed", name)
        return [
            _to_site(name.decode(), text, due, owner, float(now) + float(left)) for name, text, due, owner, left in rows
        ]

    def store_time(self) -> float:
        seconds, microseconds = self._do("TIME")
        return float(int(seconds) + int(microseconds) / 1e6)

    def take_sites(self, owner: str, most: int, seconds: float, before: float | None = None) -> list[Lease]:
        latest = "" if before is None else repr(before)
        try:
            place, length, now, rows = self._script("take", owner, most, repr(seconds), latest, self._look_from)
        except StoreError as error:
            if "nknown Redis command" in str(error):
                raise StoreError(f"store {self.name}: a list of sites needs Redis 6.2 or newer") from error
            raise
        self._look_from = place.decode()
        leases = []
        for name, text, token, over, delay in rows:
            site = _to_site(name.decode(), text)
            elapsed = float(now) - site.ended if site.ended else None
            rest = max(0.0, site.rests_until - float(now))
            leases.append(Lease(site, token, float(length), bool(over), float(delay), elapsed, rest))
        return leases

    def renew_leases(self, owner: str, leases: Sequence[tuple[Fence, float]], seconds: float) -> set[int]:
        values = [value for (name, token), delay in leases for value in (name, token, repr(delay))]
        holds = self._script("renew", owner, *values)
        return {fence.token for (fence, _), held in zip(leases, holds, strict=True) if held}

    def give_back(self, lease: Lease, run: SiteRun) -> bool:
        done, wait = after_run(lease, run)
        changed = json.dumps({name: getattr(done, name) for name in RUN_FIELDS})
        return bool(
            self._script("give_back", *lease.fence, changed, repr(wait), "1" if run.whole else "0", repr(run.rest))
        )


def _to_site(name: str, text: bytes, due: bytes = b"", owner: bytes = b"", until: float = 0.0) -> ListedSite:
    held = json.loads(owner) if owner else {}
    return from_json(
        name,
        json.loads(text),
        due=float(due) if due else None,
        owner=held.get("owner"),
        taken=held.get("taken"),
        until=until if held else None,
    )
