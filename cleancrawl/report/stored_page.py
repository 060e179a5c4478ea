"""An article of a store, cleaned again as the store knows its site now; nothing is written."""

from __future__ import annotations

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.block_prints import page_prints
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe, SiteNotes
from cleancrawl.errors import StoreError
from cleancrawl.page_input import load_page
from cleancrawl.stores.protocol import Store, StoredArticle


class _ReadOnlyNotes:
    """A store's notes on sites; a look leaves no trace in them."""

    def __init__(self, notes: SiteNotes) -> None:
        self.note = notes.note

    def set_note(self, site: str, name: str, text: str) -> None:
        pass


def stored_article(store: Store, url: str) -> StoredArticle:
    """The store's entry; raises ``StoreError`` where there is none."""
    stored = store.article(url)
    if stored is None:
        known = "the page is known, but gave no article" if store.page_states([url]) else "the page is not known"
        raise StoreError(f"no article at {url} in the store: {known}")
    return stored


def record_of(stored: StoredArticle) -> ArticleRecord:
    """The article, also one that was withdrawn."""
    return stored.article or stored.was or {}


def stored_document(store: Store, stored: StoredArticle, recipe: Recipe) -> Document:
    """The page of an article, cleaned with what the store knows of its site now.

    Raises ``StoreError`` where the store has not kept the page.
    """
    html = record_of(stored).get("html")
    if not html:
        raise StoreError(
            f"the store has not kept the page of {stored.url}: CLEANCRAWL_KEEP_HTML = True keeps those of later crawls;"
            " or explain the address itself"
        )
    page = load_page(html, stored.url)

    def look_up(page: Page) -> None:
        page.known = store.seen(stored.site, stored.url, page_prints(page))
        recipe.learn_site(page, _ReadOnlyNotes(store), stored.site, stored.url)

    recipe.run(page, look_up)
    return Document(page, recipe.name)
