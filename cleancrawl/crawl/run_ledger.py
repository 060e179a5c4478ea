"""What a run counts, site by site, for reports; written to the store while it goes on."""

from __future__ import annotations

import time
from collections import OrderedDict
from secrets import token_hex
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.report.run_history import PART
from cleancrawl.report.site_tally import SiteTally
from cleancrawl.stores.protocol import Runs, Visit

SITES = 2000
"""Sites whose counts are in memory, some kilobytes each. The one not heard of for longest is written and let go; what
still comes of it is another part of the run."""

LONGEST_NAME = 80
"""Characters; the name of a crawl may list a thousand sites."""


class RunLedger:
    """``name`` is the crawl's."""

    def __init__(self, store: Runs, name: str, started: float) -> None:
        self.store = store
        self.name = name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"
        self.begin(started)

    def begin(self, started: float) -> None:
        """Another run: what was written stays, all is counted anew."""
        self.started = started
        # Workers on many machines begin in the same moment.
        self.run = f"{time.strftime('%Y-%m-%dT%H-%M-%S', time.gmtime(started))}-{token_hex(6)}"
        self._tallies: OrderedDict[str, SiteTally] = OrderedDict()
        self._changed: set[str] = set()
        self._parts: dict[str, int] = {}

    def add(self, visit: Visit, record: ArticleRecord | None, *, new: bool) -> None:
        """A page that has gone through the pipelines, and what it would be as an article."""
        tally = self._tally(visit.site)
        tally.add_page(visit.fetched, record, visit.reason, visit.url)
        if record is not None and visit.reason is None:
            tally.add_article(record, visit.fetched, new=new)

    def failed(self, site: str, reason: str, url: str) -> None:
        self._tally(site).errors.add(reason, url)

    def write(self, facts: dict[str, Any]) -> None:
        """All that changed since it was last written, and the facts about the run itself."""
        parts: dict[str, dict[str, Any]] = {self.run: {"": {"name": self.name, **facts}}}
        for site in self._changed:
            parts.setdefault(self._run_of(site), {})[site] = self._tallies[site].to_counts()
        for run, counts in parts.items():
            self.store.record_run(run, self.started, counts)
        self._changed.clear()

    def _run_of(self, site: str) -> str:
        part = self._parts.get(site, 0)
        return f"{self.run}{PART}{part}" if part else self.run

    def _tally(self, site: str) -> SiteTally:
        tally = self._tallies.get(site)
        if tally is None:
            self._tallies[site] = tally = SiteTally()
            if len(self._tallies) > SITES:
                self._let_go()
        self._tallies.move_to_end(site)
        self._changed.add(site)
        return tally

    def _let_go(self) -> None:
        site, tally = self._tallies.popitem(last=False)
        self.store.record_run(self._run_of(site), self.started, {site: tally.to_counts()})
        self._changed.discard(site)
        self._parts[site] = self._parts.get(site, 0) + 1
