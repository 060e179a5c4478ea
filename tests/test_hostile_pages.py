"""Pages that are made to hurt: every recipe takes them in about linear time. A square would run for minutes here."""

from __future__ import annotations

import pytest

from cleancrawl import Page, clean
from cleancrawl.lookup import get_recipe
from cleancrawl.recipes import RECIPES

SENTENCE = "The council said that the old bridge, which had been closed, would open again in May. "
PAGES = {
    "100,000 siblings": "<p>One, two.</p>" * 100_000,
    "one line of 5 MB": "<p>" + SENTENCE * 60_000,
    "50,000 unclosed elements": "<div><p>" * 25_000 + SENTENCE,
}
DEEP = "<div>" * 5000 + f"<p>{SENTENCE * 3}</p>" + "</div>" * 5000
KEEPS_DEEP_TEXT = {
    "default": True,
    "core-content": False,
    "shallow-features": True,
    "site-template": True,
    "key-pattern": True,
    "line-block": True,
}
"""What each segmentation returns 5,000 levels deep: lxml's tree ends at some 250 levels, a parser target does not."""


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_takes_hostile_pages(name: str, page: str) -> None:
    assert isinstance(clean(PAGES[page], recipe=name).text, str)


@pytest.mark.parametrize("name", RECIPES)
def test_text_five_thousand_levels_deep(name: str) -> None:
    page = Page(DEEP)
    get_recipe(name).run_phase("segment", page)
    assert any(SENTENCE.strip() in block.text for block in page.blocks) is KEEPS_DEEP_TEXT[name]


def test_the_default_recipe_keeps_deep_text() -> None:
    assert SENTENCE.strip() in clean(DEEP).text
