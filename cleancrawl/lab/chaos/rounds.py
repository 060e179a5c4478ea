"""Workers on one list of sites, disturbed again and again: what is lost, doubled or impolite?

    python -m cleancrawl.lab.chaos.rounds --sites 60 --rounds 20

Each round publishes new articles, makes all sites due, and does one thing: kills a worker (-9), stops one for longer
than its lease, kills Redis and starts it again, or adds a worker and ends another cleanly. At the end every article
must be in the store once, in its first version; the server's log must show that no site was asked in the name of a
lease after a later one had begun, and that delays were kept.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from cleancrawl.lab.chaos.news_farm import Farm, Logged
from cleancrawl.lab.chaos.redis_here import RedisHere
from cleancrawl.lab.chaos.workers import Worker
from cleancrawl.stores.listed_sites import ListedSite
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store

EVENTS = ("kill", "pause", "restart", "add")
DELAY = 0.4
"""Of every third site by its options, of every other third by its robots.txt."""
TOLERANCE = 0.1
"""Seconds by which two requests may come closer on their way to the server."""
ENDS_WITHIN = 600.0
BUSY_WITHIN, STARTS_WITHIN = 10.0, 60.0


@dataclass
class Findings:
    """What came of it; a sound run has nothing in the first four."""

    missing: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    strangers: list[tuple[Logged, Logged]] = field(default_factory=list)
    """Requests in the name of a lease after a later lease of the site had been used."""
    hasty: list[tuple[str, float]] = field(default_factory=list)
    """Sites and gaps that were too short."""
    errors: list[str] = field(default_factory=list)
    articles: int = 0
    requests: int = 0
    dropped: int = 0
    """Sites that a worker found to be another's."""
    shortest: float = float("inf")
    """Gap between two requests to a site with a delay."""
    takeovers: list[float] = field(default_factory=list)
    """Seconds from the death of a worker to the first request of the next owner of one of its sites."""
    events: Counter[str] = field(default_factory=Counter)

    @property
    def sound(self) -> bool:
        return not (self.missing or self.doubled or self.strangers or self.hasty or self.errors)

    def lines(self) -> list[str]:
        taken = sorted(self.takeovers) or [0.0]
        return [
            f"events            {', '.join(f'{name} {count}' for name, count in sorted(self.events.items()))}",
            f"articles          {self.articles:,}, missing {len(self.missing)}, doubled {len(self.doubled)}",
            f"requests          {self.requests:,}, under a lease that was over {len(self.strangers)}",
            f"delays            {len(self.hasty)} too short; the shortest gap {self.shortest:.3f} s of {DELAY} s",
            f"sites dropped     {self.dropped} by workers that had lost them",
            f"taken over        {len(self.takeovers)} sites, after {statistics.median(taken):.1f} s in the middle,"
            f" {taken[-1]:.1f} s at the latest",
            f"errors            {len(self.errors)}",
        ]


def judge_log(log: list[Logged], delays: dict[str, float], findings: Findings) -> None:
    """What the server's log tells about owners and delays.

    >>> found = Findings()
    >>> judge_log([Logged(0.0, "a", "/", 1, ""), Logged(0.4, "a", "/x", 2, ""), Logged(0.5, "a", "/y", 1, "")],
    ...           {"a": 0.4}, found)
    >>> len(found.strangers), [(host, round(gap, 1)) for host, gap in found.hasty]
    (1, [('a', 0.1)])
    """
    last: dict[str, Logged] = {}
    newest: dict[str, Logged] = {}
    for entry in sorted(log):
        before = last.get(entry.host)
        delay = delays.get(entry.host, 0.0)
        if before is not None and delay:
            gap = entry.moment - before.moment
            findings.shortest = min(findings.shortest, gap)
            if gap < delay - TOLERANCE:
                findings.hasty.append((entry.host, gap))
        last[entry.host] = entry
        leading = newest.get(entry.host)
        if entry.lease is not None:
            if leading is not None and entry.lease < (leading.lease or 0):
                findings.strangers.append((leading, entry))
            else:
                newest[entry.host] = entry
    findings.requests = len(log)


class Rounds:
    def __init__(self, directory: Path, sites: int, workers: int, lease: float, seed: int) -> None:
        self.directory = directory
        self.chance = random.Random(seed)
        sizes = [self.chance.choice((3, 5, 8, 13, 21, 34)) for _ in range(sites)]
        self.farm = Farm(sizes, [DELAY if number % 3 == 1 else 0.0 for number in range(sites)])
        self.kept = {host: DELAY for number, host in enumerate(self.farm.sizes) if number % 3}
        self.redis = RedisHere(directory)
        self.lease = lease
        self.count = workers
        self.workers: list[Worker] = []
        self.all: list[Worker] = []
        self.findings = Findings()
        self.killed: list[tuple[float, str, int]] = []
        """When a worker died, which site it held, the newest token by then."""

    def run(self, rounds: int, say: bool = False) -> Findings:
        self.redis.start()
        store = open_store(self.redis.url)
        try:
            with self.farm:
                self.list_all(store)
                for _ in range(self.count):
                    self.add()
                self.wait_for_start()
                for number in range(rounds):
                    event = EVENTS[number % len(EVENTS)]
                    self.findings.events[event] += 1
                    self.publish(store)
                    getattr(self, event)(store)
                    if say:
                        print(
                            f"round {number + 1}: {event}, {len(self.farm.log):,} requests", file=sys.stderr, flush=True
                        )
                self.wait_for_end(store)
            self.judge(store)
        finally:
            for worker in self.all:
                if worker.process.poll() is None:
                    worker.go_on()
                    worker.stop()
            store.close()
            self.redis.kill()
        return self.findings

    def list_all(self, store: Store) -> None:
        for number, host in enumerate(self.farm.sizes):
            options = {"delay": str(DELAY)} if number % 3 == 2 else {}
            store.list_site(ListedSite(f"{host}:{self.farm.port}", (self.farm.url(host),), options, 86_400.0))

    def add(self, store: Store | None = None) -> None:
        """One more worker; where there are enough, the oldest ends cleanly."""
        settings = {
            "CLEANCRAWL_LEASE_SECONDS": self.lease,
            "CLEANCRAWL_SITES_AT_ONCE": len(self.farm.sizes) // 2 + 1,
            "CLEANCRAWL_WARMUP_PAGES": 3,
        }
        log = self.directory / f"worker{len(self.all)}.log"
        worker = Worker(self.redis.url, log, settings, discover="links", depth="20")
        self.workers.append(worker)
        self.all.append(worker)
        if store is not None:
            self.wait_for_start()
            self.workers.pop(0).stop()

    def kill(self, store: Store) -> None:
        victim = self.busy_worker(store)
        self.workers.remove(victim)
        victim.kill()
        moment = time.monotonic()
        for site in store.listed_sites():
            if victim.owns(site.owner):
                newest = max((entry.lease or 0 for entry in list(self.farm.log)), default=0)
                self.killed.append((moment, site.name.partition(":")[0], newest))
        self.add()
        time.sleep(self.lease)

    def busy_worker(self, store: Store) -> Worker:
        """One that holds sites, once there is one."""
        end = time.monotonic() + BUSY_WITHIN
        while time.monotonic() < end:
            owners = [site.owner for site in store.listed_sites() if site.owner]
            busy = [worker for worker in self.workers if any(map(worker.owns, owners))]
            if busy:
                time.sleep(self.chance.uniform(0.0, 1.0))
                return self.chance.choice(busy)
            time.sleep(0.05)
        return self.chance.choice(self.workers)

    def pause(self, store: Store) -> None:
        """Longer than its lease: somebody else takes its sites meanwhile."""
        victim = self.busy_worker(store)
        victim.pause()
        time.sleep(2.0 * self.lease)
        victim.go_on()

    def restart(self, store: Store) -> None:
        """Redis dies, and is back after a while that may be longer than a lease."""
        self.busy_worker(store)
        self.redis.kill()
        time.sleep(self.chance.uniform(0.2, 1.5 * self.lease))
        self.redis.start()

    def publish(self, store: Store) -> None:
        """Something new on every site, and all of them due."""
        for host in self.farm.sizes:
            self.farm.sizes[host] += self.chance.choice((0, 1, 2))
        for site in store.listed_sites():
            store.list_site(site)

    def wait_for_start(self) -> None:
        """Until all workers are there: Python takes its time to start."""
        end = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < end and not all("room for" in worker.said() for worker in self.workers):
            time.sleep(0.05)

    def wait_for_end(self, store: Store) -> None:
        """Until each site has been crawled to its end once more, by a run that began after the last disturbance."""
        asked: dict[str, float] = {}
        end = time.monotonic() + ENDS_WITHIN
        while time.monotonic() < end:
            sites = store.listed_sites()
            for site in sites:
                if site.owner is None and site.name not in asked:
                    asked[site.name] = store.store_time()
                    store.list_site(site)
            waiting = [site for site in sites if site.owner or site.ended <= asked.get(site.name, site.ended)]
            if not waiting:
                return
            time.sleep(0.2)
        self.findings.errors.append(f"{len(waiting)} sites were not finished in {ENDS_WITHIN:g} s")

    def judge(self, store: Store) -> None:
        found, cursor = Counter[str](), 0
        while part := store.articles(cursor, 500):
            cursor = part[-1].cursor
            for entry in part:
                found[entry.url] += entry.version
        expected = self.farm.article_urls()
        self.findings.articles = len(found)
        self.findings.missing = expected - found.keys()
        self.findings.doubled = {url for url, versions in found.items() if versions > 1}
        if store.holds():
            self.findings.errors.append(f"pages are still held: {store.holds()}")
        judge_log(list(self.farm.log), self.kept, self.findings)
        for moment, host, newest in self.killed:
            next_owner = [
                entry.moment - moment
                for entry in self.farm.log
                if entry.host == host and entry.moment > moment and (entry.lease or 0) > newest
            ]
            self.findings.takeovers += next_owner[:1]
        for worker in self.all:
            log = worker.said()
            self.findings.dropped += log.count("is another worker's now")
            self.findings.errors += [line for line in log.splitlines() if "Traceback" in line or " ERROR: " in line]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sites", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--lease", type=float, default=4.0, help="seconds (default: %(default)g)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--keep", type=Path, help="a directory for logs and data; default: one that is deleted")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chaos-") as directory:
        place = options.keep or Path(directory)
        place.mkdir(parents=True, exist_ok=True)
        findings = Rounds(place, options.sites, options.workers, options.lease, options.seed).run(
            options.rounds, say=True
        )
    print(
        f"{options.sites} sites, {options.workers} workers, {options.rounds} rounds in {time.monotonic() - began:.0f} s"
    )
    print("\n".join(findings.lines()))
    for problem in (*findings.strangers[:5], *findings.hasty[:5], *findings.errors[:5], *sorted(findings.missing)[:5]):
        print(problem)
    return 0 if findings.sound else 1


if __name__ == "__main__":
    sys.exit(main())
