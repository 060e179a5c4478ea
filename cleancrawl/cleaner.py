"""``clean`` for one page, ``Cleaner`` for many pages of one site after another."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Favour, Recipe, Wishes
from cleancrawl.core.site import SiteKey, site_key
from cleancrawl.page_input import load_page
from cleancrawl.recipes import get_recipe

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from cleancrawl.core.fingerprints.block_prints import Prints
    from cleancrawl.page_input import PageInput
    from cleancrawl.site_rules_file import SiteRulesSource
    from cleancrawl.stores.protocol import Store


def clean(
    html: PageInput,
    url: str | None = None,
    recipe: str | Recipe = "default",
    comments: bool = False,
    *,
    favour: Favour | None = None,
    site_rules: SiteRulesSource | None = None,
) -> Document:
    """Clean one page. Never raises on any HTML; an empty or contentless page gives an empty ``.text``.

    ``html`` is text, bytes, a response (of Scrapy, requests, httpx or alike: its headers tell the encoding), a parsel
    ``Selector`` or an lxml tree, which stays as it is. ``url`` outranks the address that a response or tree has.
    ``favour`` leans to precision or to recall; ``site_rules`` are corrections for single sites, as a TOML file or as
    tables, and need the page's URL. Raises ``TypeError``, ``UnknownRecipe`` or ``ConfigError`` on wrong use.
    """
    chosen = _chosen(recipe, Wishes(comments=comments, favour=favour), site_rules)
    page = load_page(html, url)
    chosen.run(page)
    return Document(page, chosen.name)


def _chosen(recipe: str | Recipe, wishes: Wishes, site_rules: SiteRulesSource | None) -> Recipe:
    chosen = get_recipe(recipe).tailored(wishes)
    if site_rules is None:
        return chosen
    # Imported here: few have rules, and all would pay for it.
    from cleancrawl.site_rules_file import with_site_rules

    return with_site_rules(chosen, site_rules)


class Cleaner:
    """Cleans many pages and keeps in mind what recurs on their sites: the more pages, the cleaner.

    ``store`` is a URL as for ``open_store``, or a store, which then stays open when the cleaner is closed.
    Pages without a URL are cleaned without site knowledge. ``favour`` and ``site_rules`` are as for ``clean``; the
    rules are read once.
    """

    def __init__(
        self,
        recipe: str | Recipe = "default",
        store: str | Store = "memory:",
        *,
        comments: bool = False,
        favour: Favour | None = None,
        site_rules: SiteRulesSource | None = None,
        site_by: SiteKey = "domain",
    ) -> None:
        # Imported here: ``clean`` alone needs no store.
        from cleancrawl.stores.opening import open_store

        self.recipe = _chosen(recipe, Wishes(comments=comments, favour=favour), site_rules)
        self.site_by: SiteKey = site_by
        self._owns_store = isinstance(store, str)
        self.store: Store = open_store(store) if isinstance(store, str) else store

    def clean(self, html: PageInput, url: str | None = None) -> Document:
        """Clean one page with what is known of its site, and remember the page. Takes what ``clean`` takes."""
        page = load_page(html, url)
        if page.url is None:
            self.recipe.run(page)
        else:
            self._run(page, page.url)
        return Document(page, self.recipe.name)

    def _run(self, page: Page, url: str) -> None:
        from cleancrawl.stores.look_up import look_up, page_record
        from cleancrawl.stores.protocol import Visit

        site = site_key(url, self.site_by)
        prints: list[Prints] = []
        self.recipe.run(page, lambda page: prints.append(look_up(self.store, self.recipe, page, site, url)))
        self.store.record(page_record(page, Visit(site, url, time.time()), prints[0]))

    def close(self) -> None:
        if self._owns_store:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
