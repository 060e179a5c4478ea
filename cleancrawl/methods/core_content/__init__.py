"""Tag rules, punctuation, proximity simhash and block score: the main paper, literally (METHODS A)."""

from __future__ import annotations

from cleancrawl.core.known_blocks import KnownBlocks
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.text.stemming import stemmer
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.core_content.page_duplicates import PageDuplicates
from cleancrawl.methods.core_content.punctuation import PunctuationPruning
from cleancrawl.methods.core_content.tag_rules import TagRules
from cleancrawl.methods.core_content.weighted_score import WeightedScore


def recipe() -> Recipe:
    """METHODS A, literally."""
    stemmer("porter")  # where it is not installed, the choice of the recipe says so, not every page
    return Recipe(
        name="core-content",
        summary="DIV and TD blocks, tag rules, punctuation, proximity simhash, weighted block score",
        segment=(DivTdBlocks(),),
        primary=(TagRules(), PunctuationPruning()),
        secondary=(PageDuplicates(), KnownBlocks()),
        score=(WeightedScore(),),
    )
