"""Templates of a site, found by description length, MinHash and LSH (METHODS C)."""

from __future__ import annotations

from cleancrawl.core.recipe import Recipe
from cleancrawl.methods.site_template.path_blocks import PathBlocks
from cleancrawl.methods.site_template.template_paths import TemplatePaths


def recipe() -> Recipe:
    """METHODS C; removes something only where templates of the page's site are known."""
    return Recipe(
        name="site-template",
        summary="blocks whose text lies on the same path on most pages of the site's template are noise",
        segment=(PathBlocks(),),
        secondary=(TemplatePaths(),),
    )
