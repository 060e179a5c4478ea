"""Kept blocks → text, Markdown, clean HTML; and what the page says about itself."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from cleancrawl.core.article import Article, ArticleRecord, Rendering
from cleancrawl.core.block import Block
from cleancrawl.core.metadata.extract import extract
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.page import Page
from cleancrawl.core.render.plain_text import to_text

if TYPE_CHECKING:
    from cleancrawl.core.comments.comment_reader import Comment
    from cleancrawl.core.render.nodes import Node

_SHOWN = 80
"""Characters of a title in a ``repr``."""


class Document:
    """The result of cleaning one page. What is costly is made when it is first asked for."""

    def __init__(self, page: Page, recipe: str) -> None:
        self.page = page
        self.recipe = recipe

    def __repr__(self) -> str:
        kept, title = self.page.kept, self.title
        shown = title if len(title) <= _SHOWN else title[: _SHOWN - 1] + "…"
        words = sum(block.words for block in kept)
        return (
            f"<Document {shown!r}: {words:,} words, {len(kept)} of {len(self.blocks)} blocks, {self.url or 'no URL'}>"
        )

    def to_dict(
        self,
        *,
        fetched: float | None = None,
        comments: bool = False,
        images: bool = False,
        formats: Collection[Rendering] = (),
    ) -> ArticleRecord:
        """The article's record as JSON values, with the fields of a crawl's item (docs/output.md).

        ``fetched`` is in seconds since the epoch. ``comments`` and ``images`` fill the fields of those names;
        ``formats`` fills ``markdown`` and, with ``html``, ``clean_html``. What only a crawl knows is empty.
        """
        url, site = self.url or "", self.page.domain
        article = Article.of(
            self, url=url, site=site, fetched=fetched, comments=comments, images=images, formats=formats
        )
        return article.to_record()

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

    @property
    def language(self) -> str | None:
        """ISO 639, declared or detected."""
        return self.metadata.language

    @property
    def authors(self) -> list[str]:
        """Names; people before organisations."""
        return list(self.metadata.authors)

    @property
    def published(self) -> str | None:
        """ISO 8601, a day or a time as the page says."""
        return self.metadata.published

    @property
    def modified(self) -> str | None:
        """The same of the last change."""
        return self.metadata.modified

    @property
    def section(self) -> str | None:
        """Part of the site, as the page names it."""
        return self.metadata.section

    @property
    def tags(self) -> list[str]:
        """Keywords, at most 30."""
        return list(self.metadata.tags)

    @property
    def description(self) -> str | None:
        """The page's own summary."""
        return self.metadata.description

    @property
    def image(self) -> str | None:
        """Address of the main picture."""
        return self.metadata.image

    @property
    def site_name(self) -> str | None:
        """What the site calls itself."""
        return self.metadata.site_name

    @property
    def canonical_url(self) -> str | None:
        """Address that the page gives as its own, else ``url``."""
        return self.metadata.canonical_url or self.url

    @property
    def paywalled(self) -> bool | None:
        """Whether readers pay, where the page says so."""
        return self.metadata.paywalled

    @property
    def rights(self) -> list[dict[str, str | None]]:
        """What the page says about its use: ``kind``, ``value`` and ``source`` of each statement."""
        return list(self.metadata.rights)

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
    def images(self) -> list[dict[str, str | None]]:
        """Pictures in or beside the kept blocks: ``url``, ``caption``, ``credit`` and ``alt``, at most 50."""
        from cleancrawl.core.render.article_images import article_images

        return article_images(self.page, self.image)

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
        kept = [block for block in self.page.kept if block.score is not None]
        weight = sum([block.words for block in kept])
        return sum([(block.score or 0.0) * block.words for block in kept]) / weight if weight else 0.0
