"""An article that a page holds for machines only."""

from __future__ import annotations

import json

import pytest

import cleancrawl
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks

PARAGRAPHS = [
    "The council met on Monday evening to decide on the old bridge, and the hall was full.",
    "Engineers had found a crack in the third pier, which nobody had seen for eleven years.",
    "A new bridge would cost more than the town has, the treasurer said, even with a loan.",
    "Ferries could carry schoolchildren and bicycles until the work is done, said the mayor.",
    "Not everyone agreed: shopkeepers on the far bank fear for their summer, as they wrote.",
    "In the end fourteen members voted for the repair, three against it, and two left early.",
]
SHELL = "<html><head><title>Council</title>{}</head><body><div id=app>Please enable scripts.</div>{}</body></html>"


def page(body: str, shown: str = "") -> str:
    data = json.dumps({"@graph": [{"@type": "NewsArticle", "headline": "Council", "articleBody": body}]})
    return SHELL.format(f'<script type="application/ld+json">{data}</script>', shown)


def texts(html: str) -> list[str]:
    read = Page(html)
    TextBlocks()(read)
    return [block.text for block in read.blocks]


@pytest.mark.parametrize(
    "body",
    [
        "\n\n".join(PARAGRAPHS),
        "".join(f"<p>{text}</p>" for text in PARAGRAPHS),
        "&lt;p&gt;" + "&lt;p&gt;".join(PARAGRAPHS),
    ],
    ids=["lines", "markup", "escaped markup"],
)
def test_an_article_that_only_json_ld_has_is_read(body: str) -> None:
    assert texts(page(body)) == ["Please enable scripts.", *PARAGRAPHS]
    assert cleancrawl.clean(page(body)).text.split("\n") == PARAGRAPHS


def test_an_article_that_is_shown_is_not_read_twice() -> None:
    shown = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    assert texts(page(" ".join(PARAGRAPHS), shown)) == ["Please enable scripts.", *PARAGRAPHS]


def test_a_paywalled_page_gives_what_it_hands_to_machines() -> None:
    found = cleancrawl.clean(page("\n".join(PARAGRAPHS), f"<article><p>{PARAGRAPHS[0]}</p></article>")).text
    assert [text for text in PARAGRAPHS if text not in found] == []
    assert found.count(PARAGRAPHS[0]) == 1


def test_a_summary_is_no_article() -> None:
    assert texts(page(PARAGRAPHS[0])) == ["Please enable scripts."]


def test_characters_of_markup_stay_text() -> None:
    body = "\n".join([*PARAGRAPHS, "Where a < b & c > d, nothing is lost."])
    assert texts(page(body))[-1] == "Where a < b & c > d, nothing is lost."


@pytest.mark.parametrize(
    "body", ["<div>" * 3000 + "deep " * 200, "</article></body></html>" * 100 + "after " * 100, "<" * 5000]
)
def test_hostile_bodies_do_no_harm(body: str) -> None:
    assert texts(page(body))[0] == "Please enable scripts."
