"""Whether the last crawl of a site came to its end."""

from __future__ import annotations

import time
from collections.abc import Iterable

from cleancrawl.core.recipe import SiteNotes
from cleancrawl.core.site import registrable_domain


class RunMarks:
    """Marks in the store, one per site, that stand while it is crawled: one that stands before was cut short.

    Whoever crawls the site next sees it, with whatever other sites, on whatever machine. ``spider`` is a name: the runs
    of two spiders have nothing to do with each other.
    """

    def __init__(self, store: SiteNotes, spider: str) -> None:
        self.store = store
        self.note = f"run/{spider}"
        self._since: dict[str, float | None] = {}

    def unfinished_since(self, site: str) -> float | None:
        """When the run began that was cut short; None where the last one was whole. Sets the mark, if first asked."""
        if site not in self._since:
            started = self.store.note(site, self.note)
            if not started:
                self.store.set_note(site, self.note, str(int(time.time())))
            self._since[site] = float(started) if started else None
        return self._since[site]

    def sites_of(self, domains: Iterable[str]) -> list[str]:
        """The sites that were asked about and belong to one of these domains."""
        wanted = set(domains)
        return [site for site in self._since if registrable_domain(site) in wanted]

    def forget(self, sites: Iterable[str]) -> None:
        """Somebody else goes on with these sites: their marks stay."""
        for site in sites:
            self._since.pop(site, None)

    def finish(self, sites: Iterable[str] | None = None) -> None:
        """Nothing of these sites waits any more, of all that were asked about where none are named."""
        for site in list(self._since) if sites is None else sites:
            if site in self._since:
                self.store.set_note(site, self.note, "")
                del self._since[site]
