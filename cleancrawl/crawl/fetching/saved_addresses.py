"""The addresses of saved pages: a page says itself which one is its own, and may say that of another site's."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.stores.protocol import PageStates

UNDER_WAY = 1024
"""So many pages are remembered; those before them are in the store."""


class SavedAddresses:
    """Gives each saved page an address: the first that has one keeps it.

    ``conflict`` is told of an address that another page has, with the one that is taken instead.
    """

    def __init__(self, store: PageStates, conflict: Callable[[str, str], None]) -> None:
        self.store = store
        self.conflict = conflict
        self._given: OrderedDict[str, str] = OrderedDict()

    def of(self, page: SavedPage) -> str:
        # One that was asked for by its address needs no other word for it.
        if not page.otherwise:
            return page.url
        mark = page.headers.get("ETag", "")
        addresses = (page.url, *page.otherwise)
        chosen = next((url for url in addresses[:-1] if not self._is_taken(url, mark)), addresses[-1])
        if chosen != page.url:
            self.conflict(page.url, chosen)
        self._given[chosen] = mark
        if len(self._given) > UNDER_WAY:
            self._given.popitem(last=False)
        return chosen

    def _is_taken(self, url: str, mark: str) -> bool:
        if url in self._given:
            return self._given[url] != mark
        state = self.store.page_states([url]).get(url)
        return state is not None and (state.version > 0 or state.held) and state.etag != mark
