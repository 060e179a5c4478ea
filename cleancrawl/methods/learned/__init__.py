"""The default: text blocks, high-precision rules, and a small learned model over the features of all five papers."""

from __future__ import annotations

from cleancrawl.core.known_blocks import KnownBlocks
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.author_bios import AuthorBios
from cleancrawl.methods.learned.calendars import Calendars
from cleancrawl.methods.learned.comments import ReadersComments, WantedComments
from cleancrawl.methods.learned.contents_list import ContentsList
from cleancrawl.methods.learned.declared_recipes import DeclaredRecipes
from cleancrawl.methods.learned.headings_between import HeadingsBetween
from cleancrawl.methods.learned.headline import Headline
from cleancrawl.methods.learned.hidden_blocks import HiddenBlocks
from cleancrawl.methods.learned.learned_score import LearnedScore
from cleancrawl.methods.learned.linked_lines import LinkedLines
from cleancrawl.methods.learned.one_article import OneArticle
from cleancrawl.methods.learned.quotations import WholeQuotations
from cleancrawl.methods.learned.related_boxes import RelatedBoxes
from cleancrawl.methods.learned.repeated_runs import RepeatedRuns
from cleancrawl.methods.learned.standfirst import Standfirst
from cleancrawl.methods.learned.stock_lines import StockLines
from cleancrawl.methods.learned.text_rules import TextRules
from cleancrawl.methods.learned.trailing_headings import TrailingHeadings
from cleancrawl.methods.learned.undeclared_lines import UndeclaredLines
from cleancrawl.methods.learned.whole_lists import WholeLists


def recipe() -> Recipe:
    """The score that measures best."""
    return Recipe(
        name="default",
        summary="text blocks found while parsing, high-precision rules, a small learned model",
        segment=(TextBlocks(),),
        primary=(TextRules(),),
        secondary=(KnownBlocks(min_pages=3, min_share=0.25),),
        score=(
            LearnedScore(),
            WholeLists(),
            DeclaredRecipes(),
            HeadingsBetween(),
            Standfirst(),
            WholeQuotations(),
            HiddenBlocks(),
            ReadersComments(),
            OneArticle(),
            RelatedBoxes(),
            Calendars(),
            StockLines(),
            LinkedLines(),
            UndeclaredLines(),
            AuthorBios(),
            RepeatedRuns(),
            TrailingHeadings(),
            ContentsList(),
            Headline(),
            WantedComments(),
        ),
    )
