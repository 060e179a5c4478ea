"""The sites that one worker holds: taking, renewing and losing them, by its own clock.

A worker that hears nothing of the store, or stands still, must stop before somebody else begins. So it trusts a lease
only for a part of its length, counted from before the call that renewed it, and asks before it goes on.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from cleancrawl.core.site import registrable_domain
from cleancrawl.stores.listed_sites import Fences, Lease, SiteList, SiteRun

TRUSTED = 0.75
"""Of a lease; the rest is for what is on its way when it ends, and for clocks that do not run alike."""
RENEWALS = 4
"""In the length of a lease: one that comes late, or is lost, costs nothing yet."""
AT_ONCE = 4
"""Sites taken by one call, or a tenth of what there is room for: workers that start together share what is there."""


def owner_name() -> str:
    """A name for a worker that tells people where it runs; no two have the same."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"


@dataclass(slots=True, eq=False)
class Held:
    """A site in the hands of this worker."""

    lease: Lease
    safe_until: float
    begun: float
    """By the clock of the pages' times: when this run of the site began."""
    delay: float = 0.0
    """Seconds between two requests, as they are kept now."""
    trouble: str = ""
    """What the last request that failed did so with."""

    @property
    def name(self) -> str:
        return self.lease.site.name

    @property
    def token(self) -> int:
        return self.lease.token


class Leases:
    """All of one worker. ``room`` is how many sites it works on at once; ``lost`` is told of each that it loses, and of
    its domains.

    Sets the store's fences: from now on it takes nothing that is not under one of these leases.
    """

    def __init__(
        self,
        sites: SiteList,
        room: int,
        seconds: float,
        *,
        before: float | None = None,
        owner: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.sites = sites
        self.room = room
        self.seconds = seconds
        self.before = before
        self.owner = owner or owner_name()
        self.clock = clock
        self.held: dict[int, Held] = {}
        self.fences = sites.fences = Fences()
        self.lost: Callable[[Held, list[str]], None] = lambda held, domains: None
        self.renewed = clock()

    def take(self) -> list[Held]:
        """More sites, where there is room and some are due."""
        wanted = min(max(AT_ONCE, self.room // 10), self.room - len(self.held))
        if wanted <= 0:
            return []
        asked, now = self.clock(), time.time()
        taken = []
        for lease in self.sites.take_sites(self.owner, wanted, self.seconds, self.before):
            self.seconds = lease.seconds  # what is agreed on
            for old in [held for held in self.held.values() if held.name == lease.site.name]:
                self.lost(old, self.drop(old))  # this worker itself was so slow that it ran out
            held = Held(lease, asked + TRUSTED * lease.seconds, now, lease.delay)
            self.held[lease.token] = held
            self.fences[held.name] = lease.fence
            taken.append(held)
        return taken

    def renew_in_time(self) -> None:
        """Renew all leases, where a part of their length has passed."""
        if self.held and self.clock() - self.renewed >= self.seconds / RENEWALS:
            self.renew()

    def renew(self) -> None:
        asked, leases = self.clock(), [(held.lease.fence, held.delay) for held in self.held.values()]
        kept = self.sites.renew_leases(self.owner, leases, self.seconds) if leases else set()
        self.renewed = asked
        for held in list(self.held.values()):
            if held.token in kept:
                held.safe_until = asked + TRUSTED * self.seconds
            else:
                self.lost(held, self.drop(held))

    def holds(self, token: int | None) -> bool:
        """Whether a site may be asked for something now; where that is not sure any more, the store is asked first."""
        held = self.held.get(token or 0)
        while held is not None and self.clock() >= held.safe_until:
            # Again where the answer is old by now: the process may have stood still while it waited for it.
            self.renew()
            held = self.held.get(held.token)
        return held is not None

    def of_site(self, site: str) -> Held | None:
        """The lease that a domain, or a host of it, is under."""
        fence = self.fences.get(registrable_domain(site))
        return self.held.get(fence.token) if fence else None

    def adopt(self, domain: str, held: Held) -> bool:
        """Take a domain that a site has moved to as a part of it; not where it is on the list itself."""
        if domain in self.fences:
            return self.fences[domain] == held.lease.fence
        if self.sites.listed_site(domain) is not None:
            return False
        self.fences[domain] = held.lease.fence
        return True

    def domains_of(self, held: Held) -> list[str]:
        return [domain for domain, fence in self.fences.items() if fence == held.lease.fence]

    def give_back(self, held: Held, run: SiteRun) -> list[str]:
        """End a lease; gives the domains that it was for."""
        domains = self.drop(held)
        self.sites.give_back(held.lease, run)
        return domains

    def drop(self, held: Held) -> list[str]:
        domains = self.domains_of(held)
        for domain in domains:
            del self.fences[domain]
        self.held.pop(held.token, None)
        return domains
