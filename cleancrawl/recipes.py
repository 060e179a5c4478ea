"""The recipes, as data: a function per recipe that returns its stages, imported when the recipe is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from cleancrawl.core.recipe import Recipe

Classifier = Literal["trained-tree", "stopword-context", "printed-tree"]


def default() -> Recipe:
    """Text blocks, high-precision rules, and the score that measures best."""
    from cleancrawl.core.primary.text_rules import TextRules
    from cleancrawl.core.score.afterthoughts import Afterthoughts
    from cleancrawl.core.score.comments import WantedComments
    from cleancrawl.core.score.contents import ContentsList
    from cleancrawl.core.score.headline import Headline
    from cleancrawl.core.score.hidden import HiddenBlocks
    from cleancrawl.core.score.learned import LearnedScore
    from cleancrawl.core.score.repeated_runs import RepeatedRuns
    from cleancrawl.core.secondary.known_blocks import KnownBlocks
    from cleancrawl.core.segment.text_blocks import TextBlocks

    return Recipe(
        name="default",
        summary="text blocks found while parsing, high-precision rules, a small learned model",
        segment=(TextBlocks(),),
        primary=(TextRules(),),
        secondary=(KnownBlocks(min_pages=3, min_share=0.25),),
        score=(
            LearnedScore(),
            HiddenBlocks(),
            RepeatedRuns(),
            Afterthoughts(),
            ContentsList(),
            Headline(),
            WantedComments(),
        ),
    )


def core_content() -> Recipe:
    """METHODS A, literally."""
    from cleancrawl.core.primary.punctuation import PunctuationPruning
    from cleancrawl.core.primary.tag_rules import TagRules
    from cleancrawl.core.score.weighted import WeightedScore
    from cleancrawl.core.secondary.duplicates import PageDuplicates
    from cleancrawl.core.secondary.known_blocks import KnownBlocks
    from cleancrawl.core.segment.div_td import DivTdBlocks

    return Recipe(
        name="core-content",
        summary="DIV and TD blocks, tag rules, punctuation, proximity simhash, weighted block score",
        segment=(DivTdBlocks(),),
        primary=(TagRules(), PunctuationPruning()),
        secondary=(PageDuplicates(), KnownBlocks()),
        score=(WeightedScore(),),
    )


def shallow_features(classifier: Classifier = "trained-tree") -> Recipe:
    """METHODS B; the other classifiers are ``stopword-context`` and ``printed-tree``."""
    from cleancrawl.core.primary.classifiers import CLASSIFIERS
    from cleancrawl.core.score.block_weight import BlockWeight
    from cleancrawl.core.secondary.cosine import CosineDuplicates
    from cleancrawl.core.segment.shallow import AtomicBlocks

    return Recipe(
        name="shallow-features",
        summary="atomic text blocks, classified by a decision tree over shallow text features",
        segment=(AtomicBlocks(),),
        primary=(CLASSIFIERS[classifier](),),
        secondary=(CosineDuplicates(),),
        score=(BlockWeight(),),
    )


def shallow_context() -> Recipe:
    """``shallow-features`` by its two-stage classes, by import path: ``cleancrawl.recipes.shallow_context``."""
    return shallow_features("stopword-context")


def shallow_printed() -> Recipe:
    """``shallow-features`` by the printed tree, by import path: ``cleancrawl.recipes.shallow_printed``."""
    return shallow_features("printed-tree")


def site_template() -> Recipe:
    """METHODS C; removes something only where the page's site has templates (``page.templates``)."""
    from cleancrawl.core.secondary.template_paths import TemplatePaths
    from cleancrawl.core.segment.path_blocks import PathBlocks

    return Recipe(
        name="site-template",
        summary="blocks whose text lies on the same path on most pages of the site's template are noise",
        segment=(PathBlocks(),),
        secondary=(TemplatePaths(),),
    )


def key_pattern() -> Recipe:
    """METHODS D."""
    from cleancrawl.core.score.tag_count import TagCount
    from cleancrawl.core.segment.key_pattern import KeyPatternBlocks

    return Recipe(
        name="key-pattern",
        summary="pages cut where sequences of child tags repeat; blocks with few tags are noise",
        segment=(KeyPatternBlocks(),),
        score=(TagCount(),),
    )


def line_block() -> Recipe:
    """METHODS E."""
    from cleancrawl.core.score.line_ratios import LineRatios
    from cleancrawl.core.segment.lines import LineBlocks

    return Recipe(
        name="line-block",
        summary="lines of the source joined into blocks, kept by text per tag and anchor text; no tree",
        segment=(LineBlocks(),),
        score=(LineRatios(thresholds="deviation"),),
    )


RECIPES: dict[str, Callable[[], Recipe]] = {
    "default": default,
    "core-content": core_content,
    "shallow-features": shallow_features,
    "site-template": site_template,
    "key-pattern": key_pattern,
    "line-block": line_block,
}
