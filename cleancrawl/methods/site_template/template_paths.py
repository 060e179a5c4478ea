"""METHODS C6: blocks that belong to the template of their page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import SiteNotes
from cleancrawl.methods.site_template.path_blocks import PathLayout
from cleancrawl.methods.site_template.samples import learn_page


@dataclass(frozen=True, slots=True)
class TemplatePaths:
    """Remove blocks all of whose text leaves are template paths of the page's cluster.

    Without templates of the site, or where the page matches none, nothing goes.
    """

    needs: ClassVar[type[PathLayout]] = PathLayout

    needs_site: ClassVar[bool] = True
    """In a crawl the first pages of a site wait until it is known."""

    min_pages: int = 2
    """Pages that a cluster must have for its template to remove anything."""

    def learn_site(self, page: Page, notes: SiteNotes, site: str, url: str) -> None:
        """Take the site's templates from the store's notes, and the page as a sample of them."""
        layout = page.layout_of(PathLayout)
        layout.templates = learn_page(notes, site, url, layout.paths if page.blocks else None)

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(PathLayout)
        template = layout.templates.match(layout.paths, self.min_pages) if layout.templates is not None else None
        if template is None or not page.blocks:
            return
        known = np.isin(layout.leaves, template.paths)
        starts = np.array(layout.starts)
        found = np.add.reduceat(known, starts[:-1]) == np.diff(starts)
        for block, inside in zip(page.blocks, found.tolist(), strict=True):
            if inside:
                block.remove("secondary", "template", f"template of {template.size} pages")
