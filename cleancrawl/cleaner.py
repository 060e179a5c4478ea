"""``clean`` for one page, ``Cleaner`` for many pages of one site after another."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cleancrawl.core.decode import decode
from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.site import SiteKey, site_key
from cleancrawl.lookup import get_recipe

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from cleancrawl.stores.base import Store


def load_page(html: str | bytes, url: str | None = None, *, comments: bool = False) -> Page:
    """A page from text or bytes; raises ``TypeError`` on anything else."""
    if isinstance(html, str):
        return Page(html, url, comments=comments)
    if isinstance(html, (bytes, bytearray, memoryview)):
        text, encoding = decode(bytes(html))
        return Page(text, url, encoding, comments=comments)
    raise TypeError(f"html must be str or bytes, not {type(html).__name__}")


def clean(
    html: str | bytes, url: str | None = None, recipe: str | Recipe = "default", comments: bool = False
) -> Document:
    """Clean one page. Never raises on any HTML; an empty or contentless page gives an empty ``.text``.

    Raises ``TypeError`` or ``UnknownRecipe`` on wrong use.
    """
    chosen = get_recipe(recipe)
    page = load_page(html, url, comments=comments)
    chosen.run(page)
    return Document(page, chosen.name)


class Cleaner:
    """Cleans many pages and keeps in mind what recurs on their sites: the more pages, the cleaner.

    ``store`` is a URL as for ``open_store``, or a store, which then stays open when the cleaner is closed.
    Pages without a URL are cleaned without site knowledge.
    """

    def __init__(
        self,
        recipe: str | Recipe = "default",
        store: str | Store = "memory:",
        *,
        comments: bool = False,
        site_by: SiteKey = "domain",
    ) -> None:
        # Imported here: ``clean`` alone needs no store.
        from cleancrawl.stores.open import open_store

        self.recipe = get_recipe(recipe)
        self.comments = comments
        self.site_by: SiteKey = site_by
        self._owns_store = isinstance(store, str)
        self.store: Store = open_store(store) if isinstance(store, str) else store

    def clean(self, html: str | bytes, url: str | None = None) -> Document:
        """Clean one page with what is known of its site, and remember the page. Never raises on any HTML."""
        page = load_page(html, url, comments=self.comments)
        if url is None:
            self.recipe.run(page)
        else:
            self._run(page, url)
        return Document(page, self.recipe.name)

    def _run(self, page: Page, url: str) -> None:
        from cleancrawl.stores.base import Visit
        from cleancrawl.stores.pages import look_up, page_record

        site = site_key(url, self.site_by)
        self.recipe.run_phase("segment", page)
        self.recipe.run_phase("primary", page)
        prints = look_up(self.store, page, site, url)
        self.recipe.run_phase("secondary", page)
        self.recipe.run_phase("score", page)
        self.store.record(page_record(page, Visit(site, url, time.time()), prints))

    def close(self) -> None:
        if self._owns_store:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
