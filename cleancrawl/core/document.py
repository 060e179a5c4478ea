"""Kept blocks → text, Markdown, clean HTML."""

from __future__ import annotations

from functools import cached_property

from cleancrawl.core.metadata.extract import Metadata, extract
from cleancrawl.core.page import Block, Page


class Document:
    """The result of cleaning one page."""

    def __init__(self, page: Page, recipe: str) -> None:
        self.page = page
        self.recipe = recipe

    @property
    def blocks(self) -> list[Block]:
        """All blocks of the page, with their verdicts."""
        return self.page.blocks

    @property
    def url(self) -> str | None:
        return self.page.url

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates, language, site, image, canonical URL."""
        return extract(self.page)

    @property
    def title(self) -> str:
        """The headline, without the site's name."""
        return self.metadata.title

    @cached_property
    def text(self) -> str:
        """One line per paragraph, heading or list item, in the order of the page."""
        return "\n".join(block.text for block in self.page.blocks if block.removed is None)

    @cached_property
    def score(self) -> float:
        """How sure the recipe is of the kept text: the mean block score, weighted by words; 0 where nothing is kept."""
        kept = [(block.score, block.words) for block in self.page.kept if block.score is not None]
        weight = sum(words for _, words in kept)
        return sum(score * words for score, words in kept) / weight if weight else 0.0
