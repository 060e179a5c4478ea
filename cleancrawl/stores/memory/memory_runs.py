"""What runs have counted, in a store in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cleancrawl.stores.memory.memory_tables import MemoryTables, in_turn
from cleancrawl.stores.protocol import RunCounts, RunRow


class MemoryRuns(MemoryTables):
    @in_turn
    def record_run(self, run: str, started: float, counts: Mapping[str, RunCounts]) -> None:
        for site, counted in counts.items():
            self._load_run(site, run, started, dict(counted))
            rows = self._runs[site]
            for old in sorted(rows, key=lambda name: (rows[name][0], name))[: -self.limits.runs_per_site]:
                del rows[old]

    def runs(self, since: float = 0.0) -> Iterator[RunRow]:
        with self._turn:
            found = sorted(
                (site, started, run, text)
                for site, rows in self._runs.items()
                for run, (started, text) in rows.items()
                if started >= since
            )
        for site, started, run, text in found:
            yield RunRow(site, run, started, json.loads(text))

    def _load_run(self, site: str, run: str, started: float, counts: RunCounts) -> None:
        self._runs.setdefault(site, {})[run] = (started, json.dumps(counts))
