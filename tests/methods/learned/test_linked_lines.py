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
        "<p>The mayor: <a href=/a>the ferry runs every hour until the spring.</a></p>",
        "<p>The mayor of the town said on Monday: <a href=/a>ferry to run until the spring</a></p>",
        "<p>The mayor: ferry <a href=/a>to run every hour until the spring</a></p>",
        "<p>More: <a href=/a>ferry to run</a></p>",
        "<ul><li><a href=/a>Ferry to run every hour until the spring</a></li></ul>",
        "<table><tr><td><a href=/a>Ferry to run every hour until the spring</a></td></tr></table>",
        "<h2><a href=/a>Ferry to run every hour until the spring</a></h2>",
        f"<p><a href=/a>{'ferry to run ' * 12}</a></p>",
    ],
)
def test_sentences_sources_entries_and_headings_stay(line: str) -> None:
    assert removed(PROSE * 9 + line + PROSE) == []


@pytest.mark.parametrize("leading", ["Learn more:", "También puede leer:", "PUEDES VER |", "(Lesen Sie hier:"])
def test_so_does_one_behind_a_few_words_and_a_colon(leading: str) -> None:
    line = f"<p>{leading} <a href=/a>Will the ferry run until the spring?</a></p>"
    text = f"{leading} Will the ferry run until the spring?"
    assert removed(PROSE * 6 + line + PROSE + line + PROSE) == 2 * [(text, f"score: linked-line ({leading})")]


def test_lines_that_begin_differently_side_by_side_are_a_list() -> None:
    lines = [f"<p>{town}: <a href=/a>ferry every hour until the spring</a></p>" for town in ("Lunn", "Aber", "Ost")]
    assert removed(PROSE * 9 + "".join(lines) + PROSE) == []
    assert len(removed(PROSE * 9 + (PROSE * 3).join(lines) + PROSE)) == 3


def test_only_news_and_only_behind_its_beginning() -> None:
    assert removed(PROSE * 4 + LINE + PROSE, head="") == []
    assert removed(LINE + PROSE * 4) == []


def test_a_page_about_links_keeps_them() -> None:
    assert removed(PROSE * 4 + LINE * 5) == []


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, LinkedLines) for stage in recipe().score)
