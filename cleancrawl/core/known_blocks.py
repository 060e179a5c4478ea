"""Blocks that other pages of the site show too: the paper's secondary noise, carried across pages by a store."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import ClassVar

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.text.words import normalise

STAGE = "secondary"
DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description", "og:title", "twitter:title"})


@dataclass(frozen=True, slots=True)
class KnownBlocks:
    """Marks what ``page.known`` counts on enough other pages of the site; without a store it does nothing."""

    min_pages: int = 2
    """On how many other pages a block must have been seen: one is often the same story twice."""
    min_share: float = 0.0
    """On what share of the site's other known pages: what a few follow-up stories quote again is no noise …"""
    sure_pages: int = 12
    """… but what is on so many pages is, however large the site."""
    heeds: ClassVar[frozenset[str]] = frozenset({"min_pages", "min_share"})
    needs_site: ClassVar[bool] = True
    """Tells a crawl that the first pages of a site are worth waiting with."""

    def tailored(self, wishes: Wishes) -> KnownBlocks:
        """A share that the user asks for holds on sites of any size."""
        min_pages = self.min_pages if wishes.min_pages is None else wishes.min_pages
        if wishes.min_share is None:
            return replace(self, min_pages=min_pages)
        return replace(self, min_pages=min_pages, min_share=wishes.min_share, sure_pages=sys.maxsize)

    def __call__(self, page: Page) -> None:
        known = page.known
        if known is None:
            return
        enough = max(self.min_pages, min(self.min_share * known.site_pages, self.sure_pages), 1)
        own = None
        for block, pages in zip(page.blocks, known.pages, strict=False):
            if pages >= enough:
                own = own_words(page) if own is None else own
                if normalise(block.text).lower() not in own:
                    block.remove(STAGE, "site-block", f"seen on {pages} of {known.site_pages} pages")


def own_words(page: Page) -> frozenset[str]:
    """What the page says of itself: other pages repeat its headline and lead as a teaser, but here they belong."""
    said = [page.title, *(content for name, content in page.head.meta if name in DESCRIPTIONS)]
    return frozenset(normalise(text).lower() for text in said)
