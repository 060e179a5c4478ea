"""Links that an article's declared text does not have go; whatever else it does not have stays."""

from __future__ import annotations

import json

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.undeclared_lines import UndeclaredLines

PARAGRAPHS = [
    f"The {number} of the old bridges over the river was closed on Monday, and nobody could say for how long."
    for number in ("first", "second", "third", "fourth", "fifth")
]
PROSE = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
LINE = "<li>Ferries: <a href=/a>No boat to Lunn before the spring</a></li>"
TEXT = "Ferries: No boat to Lunn before the spring"


def removed(html: str, declared: str | None = " ".join(PARAGRAPHS)) -> list[tuple[str, str]]:
    """The text of each removed block, and why it went."""
    data = json.dumps({"@type": "Article", "articleBody": declared} if declared is not None else {"@type": "Article"})
    page = Page(f'<html><head><script type="application/ld+json">{data}</script></head><body>{html}</body></html>')
    TextBlocks()(page)
    UndeclaredLines()(page)
    return [(block.text, str(block.removed)) for block in page.blocks if block.removed]


@pytest.mark.parametrize(
    "declared",
    [
        " ".join(PARAGRAPHS),
        "".join(PARAGRAPHS),
        "".join(f"&lt;p&gt;{text}&lt;/p&gt;" for text in PARAGRAPHS),
        "".join(f"<p>{text}</p>" for text in PARAGRAPHS).replace("old", "<b>old</b>"),
    ],
)
def test_a_line_that_is_mostly_a_link_goes(declared: str) -> None:
    gone = "score: undeclared-line (a link that the article's declared text does not have)"
    assert removed(f"{PROSE}<ul>{LINE}</ul>", declared) == [(TEXT, gone)]


@pytest.mark.parametrize(
    "line",
    [
        "<p>The ferry runs again, every hour, but not on Sundays.</p>",
        "<p>The ferry runs again, every hour, but <a href=/a>not on Sundays</a>.</p>",
        "<p><a href=/a>Office of Bridges</a></p>",
        "<h2><a href=/a>No boat to Lunn before the spring</a></h2>",
        "<ul><li>Boats to Lunn run in the summer alone</li></ul>",
    ],
)
def test_what_is_no_link_stays_and_so_do_headings_and_names(line: str) -> None:
    assert removed(PROSE + line) == []


def test_a_declared_link_stays() -> None:
    assert removed(f"{PROSE}<ul>{LINE}</ul>", f"{' '.join(PARAGRAPHS)} {TEXT}") == []


def test_a_line_before_the_text_stays() -> None:
    assert removed(f"<ul>{LINE}</ul>{PROSE}") == []


@pytest.mark.parametrize("declared", [None, "", PARAGRAPHS[0], " ".join(PARAGRAPHS[:3]) * 2, "Another text. " * 60])
def test_where_no_text_or_only_a_part_of_it_is_declared_all_stays(declared: str | None) -> None:
    assert removed(f"{PROSE}<ul>{LINE}</ul>", declared) == []


def test_a_list_of_links_that_is_most_of_the_page_stays() -> None:
    assert removed(f"{PROSE}<ul>{LINE * 9}</ul>") == []


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, UndeclaredLines) for stage in recipe().score)
