"""Headlines of other articles between paragraphs go; sources, recommendations and entries of lists stay."""

from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.linked_lines import LinkedLines

PROSE = "<p>The old bridge over the river was closed on Monday, and nobody could say for how long it would be.</p>"
NEWS = '<head><script type="application/ld+json">{"@type": "NewsArticle"}</script></head>'
LINE = "<p><b><a href=/a>FERRY TO RUN EVERY HOUR UNTIL THE SPRING</a></b></p>"


def removed(html: str, head: str = NEWS) -> list[tuple[str, str]]:
    """The text of each removed block, and why it went."""
    page = Page(f"<html>{head}<body>{html}</body></html>")
    TextBlocks()(page)
    LinkedLines()(page)
    return [(block.text, str(block.removed)) for block in page.blocks if block.removed]


def test_a_line_that_is_a_link_and_no_sentence_goes_with_its_reason() -> None:
    gone = "score: linked-line (a link and nothing else)"
    text = "FERRY TO RUN EVERY HOUR UNTIL THE SPRING"
    assert removed(PROSE * 4 + LINE + PROSE) == [(text, gone)]
    assert removed(PROSE * 4 + LINE.replace("p>", "div>")) == [(text, gone)]


@pytest.mark.parametrize(
    "line",
    [
        "<p><a href=/a>The ferry runs every hour until the spring.</a></p>",
        "<p><a href=/a>“The ferry runs every hour until the spring.”</a></p>",
        "<p><a href=/a>Office of Bridges</a></p>",
        "<p>The mayor: <a href=/a>ferry to run every hour until the spring</a></p>",
        "<ul><li><a href=/a>Ferry to run every hour until the spring</a></li></ul>",
        "<table><tr><td><a href=/a>Ferry to run every hour until the spring</a></td></tr></table>",
        "<h2><a href=/a>Ferry to run every hour until the spring</a></h2>",
        f"<p><a href=/a>{'ferry to run ' * 12}</a></p>",
    ],
)
def test_sentences_sources_entries_and_headings_stay(line: str) -> None:
    assert removed(PROSE * 9 + line + PROSE) == []


def test_only_news_and_only_behind_its_beginning() -> None:
    assert removed(PROSE * 4 + LINE + PROSE, head="") == []
    assert removed(LINE + PROSE * 4) == []


def test_a_page_about_links_keeps_them() -> None:
    assert removed(PROSE * 4 + LINE * 5) == []


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, LinkedLines) for stage in recipe().score)
