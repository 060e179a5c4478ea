"""What one worker holds, and what two do: pages per second, fairness over sites, memory.

    python -m cleancrawl.lab.chaos.capacity --sites 200 --articles 5 --large 300 --workers 1,2

Serves that many small sites and one large one on loopback, without delays, and lets workers crawl all of them once. The
server is Python, too, and shares the machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from cleancrawl.lab.chaos.news_farm import Farm
from cleancrawl.lab.chaos.redis_here import RedisHere
from cleancrawl.lab.chaos.workers import Worker
from cleancrawl.stores.listed_sites import ListedSite
from cleancrawl.stores.opening import open_store


@dataclass(frozen=True, slots=True)
class Measured:
    workers: int
    sites: int
    requests: int
    seconds: float
    """From the first request to the last."""
    articles: int
    lasted: tuple[float, float, float]
    """Seconds from the first to the last request of a small site: the quickest, the middle one and the slowest."""
    of_large: float
    """Share of the large site's requests that were answered when the small ones were done."""
    megabytes: float
    """Most memory of a worker."""

    def line(self) -> str:
        quick, middle, slow = self.lasted
        return (
            f"{self.workers:>7} {self.sites:>6,} {self.requests:>9,} {self.requests / self.seconds:>9.1f}"
            f" {self.articles / self.seconds:>11.1f} {quick:>8.1f} {middle:>7.1f} {slow:>8.1f} {self.of_large:>9.0%}"
            f" {self.megabytes:>8.0f}"
        )


HEAD = "workers  sites  requests  requests/s  articles/s  quickest  middle  slowest  of large  MB each"


def measure(workers: int, sites: int, articles: int, large: int, directory: Path) -> Measured:
    redis = RedisHere(directory).start()
    store = open_store(redis.url)
    most, started = 0.0, list[Worker]()
    try:
        with Farm([large] + [articles] * sites) as farm:
            for host in farm.sizes:
                name = f"{host}:{farm.port}"
                store.list_site(ListedSite(name, (farm.url(host),), {"max_pages": str(10 * large)}, 86_400.0))
            settings = {"CLEANCRAWL_SITES_AT_ONCE": sites + 1 if workers == 1 else sites // workers + 1}
            started = [
                Worker(redis.url, directory / f"log{number}", settings, once="1", discover="links", depth="200")
                for number in range(workers)
            ]
            while any(worker.process.poll() is None for worker in started):
                most = max([most, *(_memory(worker.pid) for worker in started)])
                time.sleep(0.2)
            log = sorted(farm.log)
            name, *small = farm.sizes
        found = len(store.articles(limit=1_000_000))
    finally:
        for worker in started:
            worker.kill()
        store.close()
        redis.kill()
    seconds = log[-1].moment - log[0].moment
    of_small = [entry for entry in log if entry.host != name]
    moments = [[entry.moment for entry in of_small if entry.host == host] for host in small]
    lasted = [found[-1] - found[0] for found in moments if found]
    before = sum(entry.host == name and entry.moment < of_small[-1].moment for entry in log)
    share = before / max(1, sum(entry.host == name for entry in log))
    spread = (min(lasted), median(lasted), max(lasted))
    return Measured(workers, sites + 1, len(log), seconds, found, spread, share, most)


def _memory(pid: int) -> float:
    """Megabytes that a process takes; 0 where it is gone, or the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sites", default="200", help="small ones; several numbers with commas between them")
    parser.add_argument("--articles", type=int, default=5, help="of a small site")
    parser.add_argument("--large", type=int, default=300, help="articles of the large site")
    parser.add_argument("--workers", default="1,2")
    options = parser.parse_args(arguments)
    print(HEAD, flush=True)
    for sites in map(int, options.sites.split(",")):
        for workers in map(int, options.workers.split(",")):
            with tempfile.TemporaryDirectory(prefix="capacity-") as directory:
                measured = measure(workers, sites, options.articles, options.large, Path(directory))
            print(measured.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
