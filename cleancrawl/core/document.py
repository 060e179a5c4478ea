"""Kept blocks → text, Markdown, clean HTML."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cleancrawl.core.block import Block
from cleancrawl.core.metadata.extract import Metadata, extract
from cleancrawl.core.page import Page
from cleancrawl.core.render.plain_text import to_text

if TYPE_CHECKING:
    from cleancrawl.core.comments.comment_reader import Comment
    from cleancrawl.core.render.nodes import Node


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
        """One line per paragraph, heading, list item or table row (cells apart by tabs), in the order of the page."""
        return to_text(self.page)

    @cached_property
    def comments(self) -> list[Comment]:
        """What readers wrote below the article, in the order of the page; whether or not the text has it, too."""
        # Imported here: most pages are asked for their text only.
        from cleancrawl.core.comments.comment_reader import read_comments

        return read_comments(self.page)

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as CommonMark with GFM tables."""
        from cleancrawl.core.render.markdown import to_markdown

        return to_markdown(self._tree)

    @cached_property
    def html(self) -> str:
        """The kept blocks as a sanitised, well-formed HTML fragment."""
        from cleancrawl.core.render.clean_html import to_html

        return to_html(self._tree)

    @cached_property
    def _tree(self) -> Node:
        # Imported here: most pages are asked for their text only.
        from cleancrawl.core.render.tree import render_tree

        return render_tree(self.page)

    @cached_property
    def score(self) -> float:
        """How sure the recipe is of the kept text: the mean block score, weighted by words; 0 where nothing is kept."""
        kept = [(block.score, block.words) for block in self.page.kept if block.score is not None]
        weight = sum(words for _, words in kept)
        return sum(score * words for score, words in kept) / weight if weight else 0.0
