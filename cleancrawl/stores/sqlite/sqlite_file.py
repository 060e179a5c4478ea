"""The file behind a SQLite store: opening it, transactions, errors."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from cleancrawl.errors import StoreError
from cleancrawl.stores.listed_sites import Fences, lease_lost
from cleancrawl.stores.protocol import Limits
from cleancrawl.stores.sqlite.sqlite_schema import prepare

WAIT_SECONDS = 60.0
"""How long one process waits for another's transaction, which takes milliseconds."""

BITS = (1 << 64) - 1
CHECKPOINT_PAGES = 4000
"""The log is brought into the file after so many pages (16 MB): those written again meanwhile cost once."""


def signed(value: int) -> int:
    """SQLite's integers are signed.

    >>> signed(2**64 - 1), unsigned(-1) == 2**64 - 1
    (-1, True)
    """
    return value - BITS - 1 if value >> 63 else value


def all_signed(values: Sequence[int]) -> list[int]:
    """``signed`` of many, ten times as fast.

    >>> all_signed([1, 2**64 - 1])
    [1, -1]
    """
    return array("q", array("Q", values).tobytes()).tolist()


def unsigned(value: int) -> int:
    return value & BITS


def band_keys(site: int, near: int) -> list[int]:
    """Where a fingerprint is filed: its site, the number of the band, the sixteen bits of it."""
    first = site << 18
    return [
        first | near & 0xFFFF,
        first | 0x10000 | near >> 16 & 0xFFFF,
        first | 0x20000 | near >> 32 & 0xFFFF,
        first | 0x30000 | near >> 48 & 0xFFFF,
    ]


class SqliteFile:
    """One connection, which threads take turns with: a call holds it from its first statement to its last.

    A connection per thread would let look-ups overlap, at the price of a cache of 64 MB each and of waits for another's
    transaction by polling; cleaning a page takes far longer than its two calls.
    """

    def __init__(self, path: str | Path, limits: Limits | None = None) -> None:
        self.path = Path(path)
        self.limits = limits or Limits()
        self._turn = RLock()
        self.fences: Fences | None = None
        with self._errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                self._set_up()
            except BaseException:
                self._db.close()
                raise

    def _set_up(self) -> None:
        self._db.execute(f"PRAGMA busy_timeout = {int(WAIT_SECONDS * 1000)}")
        _use_write_ahead_log(self._db)
        # In WAL mode NORMAL loses nothing when the process dies; only a power cut may undo the last transactions.
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA cache_size = -65536")
        self._db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        prepare(self._db, str(self.path))

    def _check_lease(self, site: str) -> None:
        """Inside a transaction, before anything is written about a site."""
        if self.fences is not None:
            fence = self.fences.of(site)
            if not self._db.execute("SELECT 1 FROM leases WHERE name = ? AND token = ?", fence).fetchone():
                raise lease_lost(fence.name)

    def close(self) -> None:
        with self._turn:
            self._db.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """For every use of the connection: takes a turn, and tells failures as ``StoreError``."""
        with self._turn:
            try:
                yield
            except (sqlite3.Error, OSError) as error:
                raise StoreError(f"store {self.path}: {error}") from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Several queries that see one state of the file."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._errors():
            self._db.execute(begin)
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # A full disk may have ended the transaction already.
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                self._rolled_back()
                raise

    def _rolled_back(self) -> None:
        """What is in memory may tell of a transaction that was none."""


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switching the journal does not wait for other processes by itself; the mode stays with the file."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)
