"""What runs have counted, in a Redis store: a hash per site, and the set of their sites."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cleancrawl.stores.protocol import RunCounts, RunRow
from cleancrawl.stores.redis.redis_server import RedisServer

PART = 200
"""Sites that one round trip is for."""


class RedisRuns(RedisServer):
    def record_run(self, run: str, started: float, counts: Mapping[str, RunCounts]) -> None:
        sites = list(counts)
        for first in range(0, len(sites), PART):
            part = sites[first : first + PART]
            rows = [("HSET", self._key("runs", site), run, _packed(started, counts[site])) for site in part]
            self._batch(*rows, ("SADD", self._key("ran"), *part))
            lengths = self._batch(*(("HLEN", self._key("runs", site)) for site in part))
            for site, length in zip(part, lengths, strict=True):
                if length > self.limits.runs_per_site:
                    old = self._of_site(site)[: -self.limits.runs_per_site]
                    self._do("HDEL", self._key("runs", site), *(row.run for row in old))

    def runs(self, since: float = 0.0) -> Iterator[RunRow]:
        for site in sorted(self._do("SMEMBERS", self._key("ran"))):
            yield from (row for row in self._of_site(site.decode()) if row.started >= since)

    def _of_site(self, site: str) -> list[RunRow]:
        """Oldest first."""
        found = []
        for run, text in self._scan(self._key("runs", site)):
            started, counts = json.loads(text)
            found.append(RunRow(site, run.decode(), started, counts))
        return sorted(found, key=lambda row: (row.started, row.run))

    def _load_run(
        self, site: str, run: str, started: float, counts: RunCounts
    ) -> Iterator[tuple[bytes | str | float, ...]]:
        yield "HSET", self._key("runs", site), run, _packed(started, counts)
        yield "SADD", self._key("ran"), site


def _packed(started: float, counts: RunCounts) -> str:
    return json.dumps([started, counts])
