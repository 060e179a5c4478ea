"""Boxes that are named as other articles go; articles and pages that are named so stay."""

from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.related_boxes import RelatedBoxes

PROSE = "<p>The old bridge over the river was closed on Monday, and nobody could say for how long it would be.</p>"
OTHER = "<p>A ferry was bought by the council of the town.</p>"


def removed(html: str) -> list[tuple[str, str]]:
    page = Page(f"<html><body>{html}</body></html>")
    TextBlocks()(page)
    RelatedBoxes()(page)
    return [(block.text[:12], str(block.removed)) for block in page.blocks if block.removed]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("related-posts", "related"),
        ("yarpp-related", "yarpp"),
        ("article__relatedLinks", "related"),
        ("you-may-also-like", "also-like"),
        ("mostRead", "mostRead"),
        ("more-stories", "more-stories"),
        ("box Recommended", "Recommend"),
    ],
)
def test_a_box_of_other_articles_goes_with_its_name(name: str, said: str) -> None:
    html = f"<div>{PROSE * 3}<div class='{name}'>{OTHER}</div>{PROSE}</div>"
    assert removed(html) == [("A ferry was ", f"score: related-box ({said})")]


@pytest.mark.parametrize(
    "html",
    [
        f"<div class='post with-related'>{PROSE * 3}</div>",
        f"<div class=recommended>{PROSE * 3}</div>{OTHER}",
        f"<div>{PROSE * 3}<div class=unrelated>{OTHER}</div></div>",
        f"<div>{PROSE * 3}<div class=related-to-bridges>{OTHER}</div></div>",
        f"<div>{PROSE * 3}{OTHER}</div>",
        "",
    ],
)
def test_the_article_stays_whatever_its_theme_is_called(html: str) -> None:
    assert removed(html) == []


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, RelatedBoxes) for stage in recipe().score)
