"""All features of a page's blocks."""

from __future__ import annotations

from cleancrawl.core.page import Page
from cleancrawl.methods.learned.features.block_text import add_text_features
from cleancrawl.methods.learned.features.context import add_context_features
from cleancrawl.methods.learned.features.facts import page_facts
from cleancrawl.methods.learned.features.sheet import Sheet
from cleancrawl.methods.learned.features.structure import add_structure_features
from cleancrawl.methods.learned.features.wording import add_wording_features


def feature_sheet(page: Page) -> Sheet:
    """The features of a page that ``TextBlocks`` has cut into at least one block."""
    facts = page_facts(page)
    sheet = Sheet(len(page.blocks))
    add_text_features(sheet, facts)
    add_wording_features(sheet, facts)
    add_structure_features(sheet, facts)
    add_context_features(sheet, facts)
    return sheet
