"""A recipe of a few lines, for tests of everything around recipes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cleancrawl.core.block import Block
from cleancrawl.core.known_blocks import KnownBlocks
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.text.words import count_words, normalise
from cleancrawl.methods.learned import recipe as default
from cleancrawl.methods.learned.learned_score import LearnedScore


@dataclass(frozen=True, slots=True)
class Paragraphs:
    def __call__(self, page: Page) -> None:
        for index, node in enumerate(page.tree.iter("h1", "p", "li")):
            text = normalise("".join(node.itertext()))
            linked = sum(count_words("".join(link.itertext())) for link in node.iter("a"))
            page.blocks.append(Block(text, count_words(text), linked, str(node.tag), node, index))


@dataclass(frozen=True, slots=True)
class NoLinks:
    def __call__(self, page: Page) -> None:
        for block in page.blocks:
            if block.link_words > block.words / 2:
                block.remove("primary", "links", f"{block.link_words} of {block.words} words")


@dataclass(frozen=True, slots=True)
class Explode:
    def __call__(self, page: Page) -> None:
        if "explode" in page.html:
            raise RuntimeError("boom")


@dataclass(frozen=True, slots=True)
class FullScore:
    def __call__(self, page: Page) -> None:
        for block in page.kept:
            block.score = 1.0


def paragraphs() -> Recipe:
    return Recipe("paragraphs", "paragraphs without links", (Paragraphs(),), (NoLinks(),), (Explode(),), (FullScore(),))


def paragraphs_of_a_site() -> Recipe:
    return Recipe("paragraphs-of-a-site", "without what recurs", (Paragraphs(),), (NoLinks(),), (KnownBlocks(),))


def default_in_any_order() -> Recipe:
    """The default, but what is known of the site changes no verdict: pages come out the same in any order."""
    recipe = default()
    blind = (
        replace(stage, seen_odds=1.0, slots=None) if isinstance(stage, LearnedScore) else stage
        for stage in recipe.score
    )
    return replace(recipe, secondary=(KnownBlocks(min_pages=1_000_000),), score=tuple(blind))
