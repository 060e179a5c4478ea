"""METHODS C6: blocks that belong to the template of their page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.core.segment.path_blocks import PathLayout


@dataclass(frozen=True, slots=True)
class TemplatePaths:
    """Remove blocks all of whose text leaves are template paths of the page's cluster.

    Reads the layout of ``PathBlocks`` and what the caller put on ``page.templates``; without templates, or where the
    page matches none, nothing goes.
    """

    needs_site: ClassVar[bool] = True
    """In a crawl the first pages of a site wait until it is known."""

    min_pages: int = 2
    """Pages that a cluster must have for its template to remove anything."""

    def __call__(self, page: Page) -> None:
        layout: PathLayout = page.layout
        template = page.templates.match(layout.paths, self.min_pages) if page.templates is not None else None
        if template is None or not page.blocks:
            return
        known = np.isin(layout.leaves, template.paths)
        starts = np.array(layout.starts)
        found = np.add.reduceat(known, starts[:-1]) == np.diff(starts)
        for block, inside in zip(page.blocks, found.tolist(), strict=True):
            if inside:
                block.remove("secondary", "template", f"template of {template.size} pages")
