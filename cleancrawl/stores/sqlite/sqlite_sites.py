"""The list of sites in a SQLite store: for the processes of one machine, by its clock."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from cleancrawl.stores.listed_sites import (
    PAST,
    RUN_FIELDS,
    Fence,
    Lease,
    ListedSite,
    SiteRun,
    after_run,
    from_json,
)
from cleancrawl.stores.sqlite.sqlite_file import SqliteFile

LISTED = (
    "SELECT l.name, site, due, owner, taken, until FROM listed l LEFT JOIN leases ON leases.name = l.name"
    " WHERE ? IS NULL OR l.name = ? ORDER BY l.name"
)


class SqliteSites(SqliteFile):
    def list_site(self, site: ListedSite, wait: float | None = 0.0) -> bool:
        with self._writing() as connection:
            old = self._listed(site.name)
            values, due = site.to_json(), self.store_time() + (wait or 0.0)
            if old:
                kept, *_, last_due = old
                values |= {name: kept[name] for name in PAST if name in kept}
                due = last_due if wait is None and last_due is not None else due
            leased = connection.execute("SELECT 1 FROM leases WHERE name = ?", (site.name,)).fetchone()
            connection.execute(
                "INSERT OR REPLACE INTO listed (name, site, due) VALUES (?, ?, ?)",
                (site.name, json.dumps(values), None if site.paused or leased else due),
            )
            return old is None

    def _listed(self, name: str) -> tuple[dict[str, Any], float | None] | None:
        row = self._db.execute("SELECT site, due FROM listed WHERE name = ?", (name,)).fetchone()
        return (json.loads(row[0]), row[1]) if row else None

    def unlist_site(self, name: str) -> bool:
        with self._writing() as connection:
            connection.execute("DELETE FROM leases WHERE name = ?", (name,))
            return connection.execute("DELETE FROM listed WHERE name = ?", (name,)).rowcount > 0

    def listed_site(self, name: str) -> ListedSite | None:
        return next(iter(self._find_listed(name)), None)

    def listed_sites(self) -> list[ListedSite]:
        return self._find_listed(None)

    def _find_listed(self, name: str | None) -> list[ListedSite]:
        with self._errors():
            rows = self._db.execute(LISTED, (name, name)).fetchall()
        return [
            from_json(name, json.loads(site), due=due, owner=owner, taken=taken, until=until)
            for name, site, due, owner, taken, until in rows
        ]

    def store_time(self) -> float:
        return time.time()

    def take_sites(self, owner: str, most: int, seconds: float, before: float | None = None) -> list[Lease]:
        now = self.store_time()
        latest = now if before is None else min(now, before)
        with self._errors():
            # Asked outside a transaction first: whoever waits for sites asks every second, and mostly in vain.
            some = self._db.execute(
                "SELECT 1 FROM listed WHERE due <= ? UNION ALL SELECT 1 FROM leases WHERE until <= ? LIMIT 1",
                (latest, now),
            ).fetchone()
        if not some:
            return []
        with self._writing() as connection:
            run_out = connection.execute(
                "SELECT name, delay FROM leases WHERE until <= ? ORDER BY until, name LIMIT ?", (now, most)
            ).fetchall()
            due = connection.execute(
                "SELECT name, NULL FROM listed WHERE due <= ? ORDER BY due, name LIMIT ?", (latest, most - len(run_out))
            ).fetchall()
            return [self._take(name, delay, owner, now, seconds) for name, delay in run_out + due]

    def _take(self, name: str, delay: float | None, owner: str, now: float, seconds: float) -> Lease:
        values, due = self._listed(name) or ({}, None)
        site, over = from_json(name, values, due=due), delay is not None
        kept = site.delay if delay is None else delay
        self._db.execute("DELETE FROM leases WHERE name = ?", (name,))
        made = self._db.execute(
            "INSERT INTO leases (name, owner, taken, until, delay) VALUES (?, ?, ?, ?, ?) RETURNING token",
            (name, owner, now, now + seconds, kept),
        ).fetchone()
        self._db.execute("UPDATE listed SET due = NULL WHERE name = ?", (name,))
        elapsed = now - site.ended if site.ended else None
        rest = max(0.0, site.rests_until - now)
        return Lease(site, made[0], seconds, over, kept, elapsed, rest)

    def renew_leases(self, owner: str, leases: Sequence[tuple[Fence, float]], seconds: float) -> set[int]:
        until = self.store_time() + seconds
        with self._writing() as connection:
            return {
                fence.token
                for fence, delay in leases
                if connection.execute(
                    "UPDATE leases SET until = ?, delay = ? WHERE name = ? AND token = ?", (until, delay, *fence)
                ).rowcount
            }

    def give_back(self, lease: Lease, run: SiteRun) -> bool:
        done, wait = after_run(lease, run)
        with self._writing() as connection:
            ours = connection.execute("DELETE FROM leases WHERE name = ? AND token = ?", lease.fence).rowcount
            found = self._listed(lease.site.name)
            if not ours or found is None:
                return False
            now, values = self.store_time(), found[0]
            values |= {name: getattr(done, name) for name in RUN_FIELDS} | ({"ended": now} if run.whole else {})
            values["rests_until"] = now + run.rest
            connection.execute(
                "UPDATE listed SET site = ?, due = ? WHERE name = ?",
                (json.dumps(values), None if values["paused"] else now + wait, lease.site.name),
            )
            return True
