"""Whether the last run of a crawl came to its end."""

from __future__ import annotations

import time

from cleancrawl.core.fingerprints.simhash import hash_term
from cleancrawl.stores.protocol import Outbox


class RunMark:
    """A mark in the store that stands while a crawl runs: if it stands at the start, the last run was cut short.

    ``name`` makes two runs runs of the same crawl.
    """

    def __init__(self, store: Outbox, name: str) -> None:
        self.store = store
        self.mark = f"run/{hash_term(name):016x}"
        started = store.cursor(self.mark)
        self.unfinished_since: float | None = float(started) if started else None

    def start(self) -> None:
        if self.unfinished_since is None:
            self.store.set_cursor(self.mark, int(time.time()))

    def finish(self, reason: str) -> None:
        if reason == "finished":
            self.store.set_cursor(self.mark, 0)
