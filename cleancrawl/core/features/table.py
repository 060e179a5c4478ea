"""All features of a page's blocks."""

from __future__ import annotations

from cleancrawl.core.features.context import add_context_features
from cleancrawl.core.features.facts import page_facts
from cleancrawl.core.features.sheet import Sheet
from cleancrawl.core.features.structure import add_structure_features
from cleancrawl.core.features.text import add_text_features
from cleancrawl.core.features.wording import add_wording_features
from cleancrawl.core.page import Page


def feature_sheet(page: Page) -> Sheet:
    """The features of a page that ``TextBlocks`` has cut into at least one block."""
    facts = page_facts(page)
    sheet = Sheet(len(page.blocks))
    add_text_features(sheet, facts)
    add_wording_features(sheet, facts)
    add_structure_features(sheet, facts)
    add_context_features(sheet, facts)
    return sheet
