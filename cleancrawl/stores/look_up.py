"""From a page to the two calls that a store is asked for it."""

from __future__ import annotations

from typing import Protocol

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.fingerprints.block_prints import Prints, content_print, page_prints
from cleancrawl.core.fingerprints.simhash import WordDigests
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe, SiteNotes
from cleancrawl.stores.protocol import PageRecord, Signature, SiteKnowledge, Visit


class Knowledge(SiteKnowledge, SiteNotes, Protocol):
    """The parts of a store that a page is looked up in."""


def look_up(store: Knowledge, recipe: Recipe, page: Page, site: str, url: str, prints: Prints | None = None) -> Prints:
    """Put on the page what the store knows about its blocks and its site; before the secondary phase.

    ``prints`` are those of the page where they are known already.
    """
    if prints is None:
        prints = page_prints(page)
    page.known = store.seen(site, url, prints)
    recipe.learn_site(page, store, site, url)
    return prints


def page_record(
    page: Page,
    visit: Visit,
    prints: Prints,
    article: ArticleRecord | None = None,
    signature: Signature | None = None,
    held: bytes | None = None,
    judge: int = 0,
    digests: WordDigests | None = None,
) -> PageRecord:
    """What a page leaves behind after its last phase. ``digests`` are those of its text, where they are known."""
    words = [block.words if block.removed is None else 0 for block in page.blocks]
    return PageRecord(visit, prints, content_print(page, digests), words, page.known, article, signature, judge, held)
