"""What is remembered of a site: whether its pages need the browser, and whether it helps."""

from __future__ import annotations

import json
import time
from collections.abc import Set
from dataclasses import asdict, dataclass
from typing import Literal

from cleancrawl.core.recipe import SiteNotes
from cleancrawl.core.site import registrable_domain

Verdict = Literal["at-once", "look", "never"]
NOTE = "browser"
ENOUGH = 3
"""Pages that settle it."""
SHARE = 4
"""So many times as often must one have happened as the other."""
MOST = 1_000
PATIENCE = 30 * 86_400.0
"""Seconds after which a site is looked at anew: it may have changed."""


@dataclass(slots=True)
class Experience:
    """How pages of a site came out."""

    helped: int = 0
    """Shells that the browser has filled."""
    vain: int = 0
    """Shells that stayed empty in it, or made it fail."""
    plain: int = 0
    """Pages that were none."""
    since: float = 0.0

    def verdict(self, now: float) -> Verdict:
        """
        >>> Experience(helped=3).verdict(0), Experience(helped=3, plain=1).verdict(0), Experience(vain=3).verdict(0)
        ('at-once', 'look', 'never')
        >>> Experience(vain=3, since=0.0).verdict(PATIENCE + 1)
        'look'
        """
        if now - self.since > PATIENCE:
            return "look"
        if self.helped >= ENOUGH and self.helped >= SHARE * self.plain and self.helped > self.vain:
            return "at-once"
        return "never" if self.vain >= ENOUGH and self.vain >= SHARE * self.helped else "look"

    @classmethod
    def read(cls, text: str | None, now: float) -> Experience:
        """What a note says; nothing where it is old, or none of ours.

        >>> Experience.read('{"helped": 2}', 5.0).helped, Experience.read("?", 5.0).since
        (0, 5.0)
        """
        try:
            given = json.loads(text or "")
            helped, vain, plain = (int(given[name]) for name in ("helped", "vain", "plain"))
            known = cls(helped, vain, plain, float(given["since"]))
        except (ValueError, TypeError, KeyError):
            return cls(since=now)
        return known if 0 <= now - known.since <= PATIENCE else cls(since=now)

    def add(self, what: Literal["helped", "vain", "plain"]) -> None:
        setattr(self, what, min(MOST, getattr(self, what) + 1))

    def write(self) -> str:
        return json.dumps(asdict(self))


class SiteVerdicts:
    """The experience with all sites of a crawl; what a browser did is written to the store at once."""

    def __init__(self, notes: SiteNotes) -> None:
        self.notes = notes
        self._known: dict[str, Experience] = {}

    def of(self, site: str) -> Verdict:
        return self._experience(site).verdict(time.time())

    def saw_plain(self, site: str) -> None:
        self._experience(site).add("plain")

    def rendered(self, site: str, *, helped: bool) -> None:
        known = self._experience(site)
        known.add("helped" if helped else "vain")
        self.notes.set_note(site, NOTE, known.write())

    def forget(self, domains: Set[str]) -> None:
        for site in [site for site in self._known if registrable_domain(site) in domains]:
            del self._known[site]

    def _experience(self, site: str) -> Experience:
        if site not in self._known:
            self._known[site] = Experience.read(self.notes.note(site, NOTE), time.time())
        return self._known[site]
