"""What runs have counted, in a SQLite store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from cleancrawl.stores.protocol import RunCounts, RunRow
from cleancrawl.stores.sqlite.sqlite_file import SqliteFile

PART = 500


class SqliteRuns(SqliteFile):
    def record_run(self, run: str, started: float, counts: Mapping[str, RunCounts]) -> None:
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO runs (site, started, run, counts) VALUES (?, ?, ?, ?)",
                [(site, started, run, json.dumps(counted)) for site, counted in counts.items()],
            )
            connection.executemany(
                "DELETE FROM runs WHERE site = ? AND (started, run) <="
                " (SELECT started, run FROM runs WHERE site = ? ORDER BY started DESC, run DESC LIMIT 1 OFFSET ?)",
                [(site, site, self.limits.runs_per_site) for site in counts],
            )

    def runs(self, since: float = 0.0) -> Iterator[RunRow]:
        after: tuple[str, float, str] = ("", -1.0, "")
        while True:
            with self._errors():
                part = self._db.execute(
                    "SELECT site, started, run, counts FROM runs"
                    " WHERE (site, started, run) > (?, ?, ?) AND started >= ? ORDER BY site, started, run LIMIT ?",
                    (*after, since, PART),
                ).fetchall()
            for site, started, run, counts in part:
                yield RunRow(site, run, started, json.loads(counts))
            if len(part) < PART:
                return
            after = part[-1][:3]
