"""What a user asks of a run over an archive."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from cleancrawl.core.article import Rendering
from cleancrawl.core.recipe import Favour, Recipe, Wishes
from cleancrawl.core.site import SiteKey
from cleancrawl.recipes import get_recipe


@dataclass(frozen=True, slots=True)
class BulkOptions:
    """How pages are cleaned and which of them are articles; the defaults are a crawl's."""

    recipe: str = "default"
    """A name or an import path."""
    favour: Favour | None = None
    site_rules: str | None = None
    """A file of corrections for single sites; on a cluster every machine reads it."""
    comments: bool = False
    """Whether readers' comments stay in the text."""
    comments_field: bool = False
    """Whether they make up the field ``comments``."""
    formats: tuple[Rendering, ...] = ()
    """What articles have besides the plain text."""
    min_words: int = 30
    only_articles: bool = True
    """Whether a page must be a probable article; else any page with enough running text is one."""
    site_by: SiteKey = "domain"
    max_page_bytes: int = 10_000_000
    drop_duplicates: bool = False
    """Whether an article that repeats an earlier one is left out; else it is marked."""

    @property
    def made_recipe(self) -> Recipe:
        """The recipe with all wishes in it; made once per process. Raises what ``clean`` raises on wrong use."""
        return _made(self)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, to compare with an earlier run's."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]


@lru_cache(maxsize=4)
def _made(options: BulkOptions) -> Recipe:
    recipe = get_recipe(options.recipe).tailored(Wishes(comments=options.comments, favour=options.favour))
    if options.site_rules is None:
        return recipe
    from cleancrawl.site_rules_file import with_site_rules

    return with_site_rules(recipe, options.site_rules)
