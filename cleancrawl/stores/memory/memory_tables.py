"""What a store in memory consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.stores.listed_sites import Fences, ListedSite, lease_lost
from cleancrawl.stores.memory.band_table import BandTable
from cleancrawl.stores.memory.block_index import BlockIndex
from cleancrawl.stores.protocol import HeldPage, Limits, PageState, Signature, StoredArticle, Visit

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(slots=True)
class DistinctPage:
    article: bool
    content: int = 0
    keys: bytes = b""


@dataclass(slots=True)
class Site:
    index: BlockIndex = field(default_factory=BlockIndex)
    pages: dict[int, DistinctPage] = field(default_factory=dict)
    samples: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class Entry:
    """An article of the outbox. ``text`` is its JSON, so that no caller can change it later; None if withdrawn."""

    stored: StoredArticle
    text: str | None
    digest: int
    content: int
    kept: bytes
    """Who judged its page, and the packed keys of the blocks of that page with their verdicts."""
    was: str | None = None
    """The JSON of what was withdrawn."""


@dataclass(slots=True)
class HeldLease:
    token: int
    owner: str
    taken: float
    until: float
    delay: float


class MemoryTables:
    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._turn = RLock()
        self._sites: dict[str, Site] = {}
        self._states: dict[str, PageState] = {}
        self._numbers: dict[str, int] = {}
        """URL → number of the distinct page that it is."""
        self._last_number = 0
        self._outbox: dict[str, Entry] = {}
        """By URL, in the order of the cursors: a new version is put at the end."""
        self._last_cursor = 0
        self._cursors: dict[str, int] = {}
        self._notes: dict[tuple[str, str], str] = {}
        self._runs: dict[str, dict[str, tuple[float, str]]] = {}
        """By site and run: when it began, and its counts as JSON, so that no caller can change them later."""
        self._held: dict[str, HeldPage] = {}
        self._documents: dict[int, tuple[Visit, Signature]] = {}
        self._last_document = 0
        self._document_numbers: dict[str, int] = {}
        self._bands = BandTable()
        self.fences: Fences | None = None
        self._listed: dict[str, ListedSite] = {}
        self._leases: dict[str, HeldLease] = {}
        self._last_token = 0

    def _check_lease(self, site: str) -> None:
        """Before anything is written about a site."""
        if self.fences is not None:
            name, token = self.fences.of(site)
            if name not in self._leases or self._leases[name].token != token:
                raise lease_lost(name)

    def _keep(self, site: Site, kept: NDArray[np.bool_]) -> None:
        for key in site.index.key[: site.index.size][~kept].tolist():
            site.samples.pop(key, None)
        site.index.keep(kept)


def in_turn(
    method: Callable[Concatenate[Any, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Result]:
    """For calls that go through a table or change several: threads take turns with the store."""

    @wraps(method)
    def call(store: Any, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        with store._turn:
            return method(store, *arguments, **options)

    return call
