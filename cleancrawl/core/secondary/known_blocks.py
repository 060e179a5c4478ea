"""Blocks that other pages of the site show too: the paper's secondary noise, carried across pages by a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from cleancrawl.core.page import Page

STAGE = "secondary"


@dataclass(frozen=True, slots=True)
class KnownBlocks:
    """Marks what ``page.known`` counts on enough other pages of the site; without a store it does nothing."""

    min_pages: int = 2
    """On how many other pages a block must have been seen: one is often the same story twice."""
    min_share: float = 0.0
    """On what share of the site's other known pages: what a few follow-up stories quote again is no noise …"""
    sure_pages: int = 12
    """… but what is on so many pages is, however large the site."""
    needs_site: ClassVar[bool] = True
    """Tells a crawl that the first pages of a site are worth waiting with."""

    def __call__(self, page: Page) -> None:
        known = page.known
        if known is None:
            return
        enough = max(self.min_pages, min(self.min_share * known.site_pages, self.sure_pages), 1)
        for block, pages in zip(page.blocks, known.pages, strict=False):
            if pages >= enough:
                block.remove(STAGE, "site-block", f"seen on {pages} of {known.site_pages} pages")
